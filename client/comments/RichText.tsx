// A comment's rich text as elements of the page: only what is known, never markup.
import { Fragment, type ReactNode } from 'react'
import type { RichNode } from '../../model-schema/rich.ts'
import { nodesOf } from './threads.ts'

export function RichText({ body }: { body: string }) {
  return <div className="h-comment-text">{shown(nodesOf(body))}</div>
}

// Nodes of a text have no identity of their own: their place is their key.
const shown = (nodes: readonly RichNode[]): ReactNode[] => nodes.map((node, i) => <Fragment key={i}>{one(node)}</Fragment>)

function one(node: RichNode): ReactNode {
  const inner = (): ReactNode => shown(node.content ?? [])
  switch (node.type) {
    case 'text':
      return (node.marks ?? []).reduce<ReactNode>(marked, node.text ?? '')
    case 'hardBreak':
      return <br />
    case 'mention':
      return <span className="h-mention">@{String(node.attrs?.['label'] ?? '')}</span>
    case 'bulletList':
      return <ul>{inner()}</ul>
    case 'orderedList':
      return <ol>{inner()}</ol>
    case 'listItem':
      return <li>{inner()}</li>
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>
    case 'codeBlock':
      return (
        <pre>
          <code>{inner()}</code>
        </pre>
      )
    default:
      return <p>{inner()}</p>
  }
}

function marked(text: ReactNode, { type, attrs }: NonNullable<RichNode['marks']>[number]): ReactNode {
  switch (type) {
    case 'bold':
      return <strong>{text}</strong>
    case 'italic':
      return <em>{text}</em>
    case 'strike':
      return <s>{text}</s>
    case 'underline':
      return <u>{text}</u>
    case 'code':
      return <code>{text}</code>
    case 'link': {
      const href = attrs?.['href']
      // Only addresses that the server lets through are links; anything else is its words.
      return typeof href === 'string' && /^(https?:\/\/|mailto:)/i.test(href) ? (
        <a href={href} target="_blank" rel="noreferrer noopener">
          {text}
        </a>
      ) : (
        text
      )
    }
    default:
      return text
  }
}
