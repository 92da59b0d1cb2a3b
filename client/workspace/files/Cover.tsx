// Small pictures of what a model is about: taken of a sample's run, or drawn from a seed in the colours of the theme.
import { useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { Preview } from '../../local/preview.ts'
import type { Sample } from '../../../model-schema/samples.ts'
import { theme } from '../../ui/theme.ts'
import style from '../workspace.module.css'

type Motif = Sample['topic']

const pictures = import.meta.glob<string>('../../../model-schema/samples/covers/*.jpg', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
})

const pictureOf = ({ id }: Pick<Sample, 'id'>, theme: 'light' | 'dark'): string => `../../../model-schema/samples/covers/${id}-${theme}.jpg`

/** The picture of a shipped sample in the dark; undefined where it looks the same in the light, and for whatever is no sample. */
export const darkPicture = (id: string): string | undefined => pictures[pictureOf({ id }, 'dark')]

/** A sample as it looks in the middle of its run; where its picture is not to be had, a motif of its topic. */
export function SampleCover({ sample }: { sample: Sample }) {
  const dark = useStore(theme, state => state.dark)
  // Both themes share one picture if they look the same.
  const source = (dark ? darkPicture(sample.id) : undefined) ?? pictures[pictureOf(sample, 'light')]
  const [failed, setFailed] = useState<string | null>(null)
  if (source === undefined || failed === source) return <Cover motif={sample.topic} seed={sample.id} />
  return (
    <img
      className={style['picture']}
      src={source}
      alt=""
      width={560}
      height={240}
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setFailed(source)}
    />
  )
}

/** The picture of a model from its boxes; without them an empty sheet. */
export function PreviewCover({ preview }: { preview: Preview | null }) {
  return (
    <svg
      viewBox="0 0 240 120"
      preserveAspectRatio="xMidYMid meet"
      width="100%"
      height="100%"
      aria-hidden="true"
      style={{ display: 'block', background: 'var(--h-canvas)' }}
    >
      {preview === null ? (
        <g fill="none" stroke="var(--h-line-strong)" strokeWidth="1.5">
          <rect x="88" y="44" width="26" height="32" rx="4" strokeDasharray="3 4" />
          <rect x="126" y="44" width="26" height="32" rx="4" strokeDasharray="3 4" />
        </g>
      ) : (
        preview.map(([x, y, w, h, accented], i) => (
          <rect
            key={i}
            x={x}
            y={y}
            width={w}
            height={h}
            rx={Math.min(3, w / 4, h / 4)}
            fill={accented === 1 ? 'var(--h-accent-soft)' : 'var(--h-surface)'}
            stroke={accented === 1 ? accent : soft}
            strokeWidth="1"
          />
        ))
      )}
    </svg>
  )
}

/** A quiet picture for a card: the same for the same seed. */
export function Cover({ motif, seed }: { motif: Motif; seed: string }) {
  return (
    <svg
      viewBox="0 0 240 120"
      preserveAspectRatio="xMidYMid slice"
      width="100%"
      height="100%"
      aria-hidden="true"
      style={{ display: 'block' }}
    >
      <rect width="240" height="120" fill="var(--h-canvas)" />
      {draw[motif](chance(seed))}
    </svg>
  )
}

const accent = 'var(--h-accent)'
const soft = 'var(--h-line-strong)'

const draw: Record<Motif, (next: () => number) => ReactNode> = {
  cells(next) {
    const cells: ReactNode[] = []
    for (let x = 0; x < 20; x++) {
      for (let y = 0; y < 10; y++) {
        // Patches rather than noise: neighbouring cells follow one slow wave.
        const wave = Math.sin(x * 0.55 + y * 0.4) + Math.cos(y * 0.8 - x * 0.3) + (next() - 0.5) * 1.1
        if (Math.abs(wave) < 0.25) continue
        cells.push(
          <rect
            key={`${x}-${y}`}
            x={x * 12 + 1}
            y={y * 12 + 1}
            width="10"
            height="10"
            rx="1.5"
            fill={wave > 0 ? accent : soft}
            opacity={wave > 0 ? 0.85 : 0.6}
          />,
        )
      }
    }
    return cells
  },
  agents(next) {
    return Array.from({ length: 46 }, (_, i) => {
      const x = 10 + next() * 220
      const y = 10 + next() * 100
      const turn = 200 + x * 0.35 + next() * 50
      return (
        <path
          key={i}
          d="M0 -5.5 3.6 4.5 0 2.4 -3.6 4.5Z"
          transform={`translate(${x} ${y}) rotate(${turn})`}
          fill={i % 7 === 0 ? accent : soft}
        />
      )
    })
  },
  economy(next) {
    let level = 60
    const heights = Array.from({ length: 22 }, (_, i) => {
      level += (next() - 0.45) * 16
      return Math.min(100, Math.max(16, level * (0.45 + i / 40)))
    })
    return (
      <>
        {heights.map((height, i) => (
          <rect
            key={i}
            x={i * 10.6 + 5}
            y={114 - height}
            width="7"
            height={height}
            rx="2"
            fill={i % 5 === 4 ? accent : soft}
            opacity={i % 5 === 4 ? 0.9 : 0.6}
          />
        ))}
      </>
    )
  },
  networks(next) {
    const points = Array.from({ length: 22 }, () => [12 + next() * 216, 12 + next() * 96] as const)
    return (
      <>
        {points.map(([x, y], i) => {
          const near = [...points].sort((a, b) => Math.hypot(a[0] - x, a[1] - y) - Math.hypot(b[0] - x, b[1] - y)).slice(1, 3)
          return near.map(([u, v], k) => <path key={`${i}-${k}`} d={`M${x} ${y}L${u} ${v}`} stroke={soft} strokeWidth="1" />)
        })}
        {points.map(([x, y], i) => (
          <circle
            key={i}
            cx={x}
            cy={y}
            r={i % 6 === 0 ? 6 : 3.8}
            fill={i % 6 === 0 ? accent : 'var(--h-surface)'}
            stroke={i % 6 === 0 ? accent : 'var(--h-faint)'}
            strokeWidth="1.5"
          />
        ))}
      </>
    )
  },
  processes() {
    return (
      <g fill="var(--h-surface)" stroke="var(--h-faint)" strokeWidth="1.6">
        <path d="M48 60h24M114 60h22M152 44V32h26M152 76v12h26M204 32h14M204 88h14" fill="none" stroke={soft} />
        <circle cx="36" cy="60" r="11" stroke={accent} />
        <rect x="73" y="46" width="41" height="28" rx="5" fill={accent} stroke={accent} opacity=".9" />
        <path d="M152 44l16 16-16 16-16-16z" />
        <rect x="178" y="21" width="27" height="22" rx="4" />
        <rect x="178" y="77" width="27" height="22" rx="4" />
        <circle cx="225" cy="32" r="7" strokeWidth="3" />
        <circle cx="225" cy="88" r="7" strokeWidth="3" />
      </g>
    )
  },
}

/** A small generator (mulberry32) started by a text. */
function chance(seed: string): () => number {
  let state = 0x9e3779b9
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 0x85ebca6b) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
