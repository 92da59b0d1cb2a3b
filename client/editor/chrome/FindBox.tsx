// Find in the model: type, see every place, go there.
import { SearchOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Input, Modal } from 'antd'
import { useMemo, useState } from 'react'
import { iconOf } from '../../canvas/icons.ts'
import { useWords } from '../../i18n/locale.ts'
import { KindIcon } from '../../panels/KindIcon.tsx'
import { findIn, type Found } from '../find.ts'
import { pathTo, titleOf } from '../grammar.ts'
import { useEditor, useModel } from '../useEditor.ts'

export function FindBox({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Modal
      open={open}
      onCancel={onClose}
      footer={null}
      closable={false}
      width={560}
      destroyOnHidden
      title={<span className="h-visually-hidden">{t`Find`}</span>}
      className="h-find"
    >
      <Finder onClose={onClose} />
    </Modal>
  )
}

function Finder({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const model = useModel(model => model)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = useMemo(() => findIn(model, text), [model, text])
  const go = (place: Found | undefined): void => {
    if (!place) return
    onClose()
    editor.reveal(place.id, place.field ?? undefined)
  }
  return (
    <>
      <Input
        size="large"
        autoFocus
        variant="borderless"
        prefix={<SearchOutlined />}
        placeholder={t`Find names, formulas and texts`}
        aria-label={t`Find names, formulas and texts`}
        value={text}
        onChange={event => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={event => {
          if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, at + 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
          else if (event.key === 'Enter') go(found[at])
          else return
          event.preventDefault()
        }}
      />
      {text.trim() !== '' && (
        <ul className="h-found" aria-label={t`Places found`}>
          {found.map((place, i) => {
            const element = model.elements.get(place.id)
            if (!element) return null
            return (
              // One line may hold the text in several records: only its place in the list tells them apart.
              // eslint-disable-next-line react/no-array-index-key
              <li key={`${i} ${place.id}`}>
                <button
                  type="button"
                  data-at={i === at || undefined}
                  ref={button => {
                    if (i === at) button?.scrollIntoView({ block: 'nearest' })
                  }}
                  onClick={() => go(place)}
                >
                  <KindIcon name={element.parent === null ? 'scenario' : iconOf(element.kind, element.fields)} />
                  <span>
                    <b>
                      {pathTo(model, place.id)
                        .map(outer => titleOf(outer, words))
                        .join(' › ')}
                    </b>
                    <small>
                      {place.label && `${words(place.label)}: `}
                      <code>
                        {place.line.slice(Math.max(0, place.from - 30), place.from)}
                        <mark>{place.line.slice(place.from, place.to)}</mark>
                        {place.line.slice(place.to, place.to + 60)}
                      </code>
                    </small>
                  </span>
                </button>
              </li>
            )
          })}
          {found.length === 0 && (
            <li className="h-muted">
              <Trans>Nothing found.</Trans>
            </li>
          )}
        </ul>
      )}
    </>
  )
}
