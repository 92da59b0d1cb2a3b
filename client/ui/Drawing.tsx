// Drawings for empty states: the future content, in the tints of the families of elements. They follow the theme.
import style from './ui.module.css'

/** What is drawn. */
export type Subject = keyof typeof drawings

export function Drawing({ of }: { of: Subject }) {
  return (
    <svg className={style['drawing']} viewBox="0 0 192 96" width="192" height="96" fill="none" strokeWidth="1.75" aria-hidden="true">
      {drawings[of]}
    </svg>
  )
}

const card = { fill: 'var(--h-raised)', stroke: 'var(--h-line-strong)' }
const line = { stroke: 'var(--h-connector)' }
const inData = { fill: 'var(--h-data-soft)', stroke: 'var(--h-data)' }
const inProcess = { fill: 'var(--h-process-soft)', stroke: 'var(--h-process)' }
const alive = { fill: 'var(--h-entity)' }

const drawings = {
  process: (
    <>
      <path d="M34 48H62M106 48h28" {...line} />
      <circle cx="24" cy="48" r="10" {...inProcess} />
      <rect x="62" y="31" width="44" height="34" rx="8" {...inProcess} strokeDasharray="4 4" />
      <circle cx="145" cy="48" r="10" {...inProcess} strokeWidth="3.500" />
      {[46, 34, 22].map((x, i) => (
        <circle key={x} cx={x + 2} cy="48" r={5 - i} {...alive} opacity={1 - i * 0.3} />
      ))}
      <path d="M84 41v14M77 48h14" stroke="var(--h-process)" />
    </>
  ),
  dashboard: (
    <>
      <rect x="16" y="10" width="84" height="76" rx="10" {...card} />
      {[
        [34, 34],
        [52, 26],
        [74, 40],
        [44, 56],
        [66, 64],
        [84, 58],
        [30, 70],
      ].map(([x, y], i) => (
        <circle key={x} cx={x} cy={y} r="4" fill={i % 3 === 0 ? 'var(--h-live)' : 'var(--h-entity)'} />
      ))}
      <rect x="110" y="10" width="66" height="42" rx="10" {...card} />
      <path d="m120 42 12-10 10 4 14-16 10 6" stroke="var(--h-accent)" />
      <rect x="110" y="62" width="66" height="24" rx="10" {...card} />
      <path d="M122 74h42" stroke="var(--h-line-strong)" />
      <path d="M122 74h22" stroke="var(--h-accent)" />
      <circle cx="146" cy="74" r="5" fill="var(--h-raised)" stroke="var(--h-accent)" />
    </>
  ),
  chart: (
    <>
      <path d="M24 84H172M24 84V12" stroke="var(--h-line-strong)" />
      {[36, 66, 96, 126].map((x, i) => (
        <rect key={x} x={x} y={62 - i * 9} width="18" height={22 + i * 9} rx="3" {...inData} strokeDasharray={i > 1 ? '4 3' : undefined} />
      ))}
      <path d="M45 50C66 46 84 30 105 30s26-14 56-16" stroke="var(--h-accent)" />
      {[
        [45, 50],
        [105, 30],
        [161, 14],
      ].map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r="4" fill="var(--h-raised)" stroke="var(--h-accent)" />
      ))}
    </>
  ),
  history: (
    <>
      <path d="M24 78H168" stroke="var(--h-line-strong)" />
      {[36, 84, 132].map((x, i) => (
        <g key={x}>
          <path d={`M${x} 66V78`} stroke="var(--h-line-strong)" />
          <circle cx={x} cy="78" r="5" fill={i === 2 ? 'var(--h-accent)' : 'var(--h-raised)'} stroke="var(--h-accent)" />
          <rect x={x - 20} y="22" width="40" height="44" rx="7" {...card} />
          <rect x={x - 13} y="30" width="26" height="10" rx="4" {...inData} />
          {i > 0 && <rect x={x - 13} y="46" width="14" height="12" rx="3" {...inProcess} />}
          {i > 1 && <circle cx={x + 9} cy="52" r="5" {...alive} />}
        </g>
      ))}
    </>
  ),
  results: (
    <>
      <path d="M24 80H172" stroke="var(--h-line-strong)" />
      <path d="M24 72C60 66 84 48 104 34S148 18 172 14V40C148 42 124 52 104 60S60 78 24 78Z" fill="var(--h-accent-soft)" />
      <path d="M24 75C60 71 84 60 104 47s44-18 68-20" stroke="var(--h-accent)" />
      {[44, 76, 108, 140].map((x, i) => (
        <path key={x} d={`M${x} ${66 - i * 10}v${14 - i}m-4 0h8m-8 -${14 - i}h8`} stroke="var(--h-entity)" />
      ))}
    </>
  ),
}
