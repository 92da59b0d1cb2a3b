// What trains behind a port, for servers and workers of pages.
export { serveTraining } from '../learn/serve.ts'
export { encodeWeights } from '../../learn/network.ts'
