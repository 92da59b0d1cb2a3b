// Shows the small Markdown the reference is written in: paragraphs, nested lists, tables, fenced code, `code`, *emphasis*, **labels** and
// [links](/to/this/app).
// Makes elements only, never HTML from text.
import type { ReactNode } from 'react'
import { unreachable } from '../../model-schema/unreachable.ts'

export function Markdown({ text }: { text: string }) {
  return <>{blocksOf(text).map((block, i) => show(block, i))}</>
}

/** One line of it, without a paragraph around. */
export function Inline({ text }: { text: string }) {
  const pieces = text.split(/(`[^`]*`|\*\*[^*\s][^*]*\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\(\/[^)\s]*\))/)
  return (
    <>
      {pieces.map((piece, i) => {
        const key = `${i} ${piece}`
        if (piece.length > 1 && piece.startsWith('`') && piece.endsWith('`')) return <code key={key}>{piece.slice(1, -1)}</code>
        if (piece.length > 4 && piece.startsWith('**') && piece.endsWith('**')) return <strong key={key}>{piece.slice(2, -2)}</strong>
        const link = /^\[([^\]]+)\]\((\/(?!\/)\S*)\)$/.exec(piece)
        if (link) {
          return (
            <a key={key} href={link[2]}>
              {link[1]}
            </a>
          )
        }
        if (piece.length > 2 && piece.startsWith('*') && piece.endsWith('*')) return <em key={key}>{piece.slice(1, -1)}</em>
        return piece
      })}
    </>
  )
}

type Item = { text: string; inner: Item[] }
type Block = { is: 'text'; text: string } | { is: 'code'; text: string } | { is: 'list'; items: Item[] } | { is: 'table'; rows: string[][] }

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const upTo = (goesOn: (line: string) => boolean): string[] => {
      const from = at
      while (at < lines.length && goesOn(lines[at] ?? '')) at++
      return lines.slice(from, at)
    }
    if (line.trim() === '') at++
    else if (line.startsWith('```')) {
      at++
      blocks.push({ is: 'code', text: upTo(next => !next.startsWith('```')).join('\n') })
      at++
    } else if (line.startsWith('|')) {
      const rows = upTo(next => next.startsWith('|')).filter(row => !/^\|[-|\s]+\|$/.test(row))
      blocks.push({ is: 'table', rows: rows.map(row => row.slice(1, -1).split('|')) })
    } else if (/^\s*- /.test(line)) blocks.push({ is: 'list', items: itemsOf(upTo(next => /^\s*- |^\s+\S/.test(next))) })
    else blocks.push({ is: 'text', text: upTo(next => next.trim() !== '' && !/^(```|\||\s*- )/.test(next)).join(' ') })
  }
  return blocks
}

function itemsOf(lines: readonly string[]): Item[] {
  const root: Item[] = []
  const open: { indent: number; items: Item[] }[] = [{ indent: -1, items: root }]
  for (const line of lines) {
    const found = /^(\s*)- (.*)$/.exec(line)
    if (!found) {
      const last = open.at(-1)?.items.at(-1)
      if (last) last.text += ` ${line.trim()}`
      continue
    }
    const [, { length: indent } = '', text = ''] = found
    while (open.length > 1 && (open.at(-1)?.indent ?? 0) > indent) open.pop()
    const around = open.at(-1)
    if (around && around.indent < indent) {
      const holder = around.items.at(-1)
      open.push({ indent, items: around.indent < 0 || !holder ? root : holder.inner })
    }
    open.at(-1)?.items.push({ text, inner: [] })
  }
  return root
}

function show(block: Block, key: number): ReactNode {
  switch (block.is) {
    case 'text':
      return (
        <p key={key}>
          <Inline text={block.text} />
        </p>
      )
    case 'code':
      return (
        // Long lines are scrolled, by keyboard, too.
        <pre key={key} tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'list':
      return <List key={key} items={block.items} />
    case 'table': {
      const [head = [], ...body] = block.rows
      return (
        <table key={key}>
          <thead>
            <tr>
              {head.map(cell => (
                <th key={cell} scope="col">
                  <Inline text={cell.trim()} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.map(row => (
              <tr key={row[0]}>
                {row.map(cell => (
                  <td key={cell}>
                    <Inline text={cell.trim()} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )
    }
    default:
      return unreachable(block)
  }
}

function List({ items }: { items: readonly Item[] }) {
  return (
    <ul>
      {items.map(item => (
        <li key={item.text}>
          <Inline text={item.text} />
          {item.inner.length > 0 && <List items={item.inner} />}
        </li>
      ))}
    </ul>
  )
}
