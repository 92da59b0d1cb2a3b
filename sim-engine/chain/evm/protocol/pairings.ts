// The precompiles on curves with pairings: bn254, KZG, BLS12-381. Loaded where a run may need them: see curves.ts.
export { bn254Add, bn254Multiply, bn254Pairing } from './bn254.ts'
export { addG1, addG2, mapToG1, mapToG2, multiplyG1, multiplyG2, pairing } from './bls12.ts'
export { evaluatePoint } from './kzg.ts'
