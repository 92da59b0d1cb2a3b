// Find in the model: type, see every place, go there; and put another text there, one by one or everywhere.
import { EditOutlined, SearchOutlined, SwapOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input, Modal, Segmented, Tooltip } from 'antd'
import { useMemo, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Id } from '../../../model-schema/model.ts'
import { iconOf } from '../../canvas/icons.ts'
import { useWords } from '../../i18n/locale.ts'
import { KindIcon } from '../../panels/KindIcon.tsx'
import { findIn, replaceIn, type Found, type FoundSort } from '../find.ts'
import { pathTo, titleOf } from '../grammar.ts'
import { useEditor, useElement, useModel, useView } from '../useEditor.ts'
import { say } from '../../../model-schema/words.ts'

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
  const replacing = useView(view => view.replacing) && editor.writable
  const [text, setText] = useState('')
  const [other, setOther] = useState('')
  const [options, setOptions] = useState<{ cased: boolean; whole: boolean; only?: FoundSort | undefined }>({ cased: false, whole: false })
  const [at, setAt] = useState(0)
  const found = useMemo(() => findIn(model, text, options), [model, text, options])
  const every = useMemo(
    () => (replacing ? findIn(model, text, { ...options, most: Infinity }) : []).filter(place => place.plain),
    [model, text, options, replacing],
  )
  const count = every.length
  const chosen = found[Math.min(at, found.length - 1)]
  const go = (place: Found | undefined): void => {
    if (!place) return
    onClose()
    editor.reveal(place.id, place.cell ? `${place.field}/${place.cell.row}/${place.cell.column}` : place.field)
  }
  const walk = (event: KeyboardEvent, enter: () => void): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, at + 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
    else if (event.key === 'Enter') enter()
    else return
    event.preventDefault()
  }
  const replaceAll = (): void => {
    const done = replaceIn(editor, every, other)
    if (done > 0) editor.report(say('Replaced {done} {done, plural, one {place} other {places}}.', { done }))
  }
  const replaceOne = (): void => {
    if (chosen?.plain) replaceIn(editor, [chosen], other)
  }
  return (
    <>
      <div className="h-find-line">
        <Input
          size="large"
          autoFocus
          variant="filled"
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t`Find names, formulas and texts`}
          aria-label={t`Find names, formulas and texts`}
          value={text}
          onChange={event => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={event => walk(event, () => go(chosen))}
        />
        <Choice label={t`Match case`} sign="Aa" on={options.cased} set={cased => setOptions({ ...options, cased })} />
        <Choice label={t`Whole words`} sign={<u>ab</u>} on={options.whole} set={whole => setOptions({ ...options, whole })} />
        {editor.writable && (
          <Choice
            label={t`Replace`}
            sign={<SwapOutlined aria-hidden />}
            on={replacing}
            set={on => editor.view.setState({ replacing: on })}
          />
        )}
      </div>
      {replacing && (
        <div className="h-find-line">
          <Input
            size="large"
            variant="filled"
            prefix={<EditOutlined aria-hidden />}
            placeholder={t`Replace by`}
            aria-label={t`Replace by`}
            value={other}
            onChange={event => setOther(event.target.value)}
            onKeyDown={event => walk(event, replaceOne)}
          />
          <Button disabled={!chosen?.plain} onClick={replaceOne}>
            <Trans>Replace</Trans>
          </Button>
          <Button type="primary" disabled={every.length === 0} onClick={replaceAll}>
            <Trans>Replace all {count}</Trans>
          </Button>
        </div>
      )}
      <Sorts
        only={options.only}
        choose={only => {
          setOptions({ ...options, only })
          setAt(0)
        }}
      />
      {text.trim() !== '' && (
        <ul className="h-found" aria-label={t`Places found`}>
          {found.map((place, i) => (
            // One line may contain the text in several records: only the index distinguishes them.
            // eslint-disable-next-line react/no-array-index-key
            <li key={`${i} ${place.id}`}>
              <button
                type="button"
                data-at={place === chosen || undefined}
                ref={button => {
                  if (place === chosen) button?.scrollIntoView({ block: 'nearest' })
                }}
                onClick={() => (replacing ? setAt(i) : go(place))}
                onDoubleClick={() => go(place)}
              >
                <Icon id={place.id} />
                <span>
                  <b>
                    {pathTo(model, place.id)
                      .map(outer => titleOf(outer, words))
                      .join(' › ')}
                  </b>
                  <small>
                    {`${words(place.label)}: `}
                    <code>
                      {place.line.slice(Math.max(0, place.from - 30), place.from)}
                      {replacing && place.plain ? (
                        <>
                          <del>{place.line.slice(place.from, place.to)}</del>
                          <ins>{other}</ins>
                        </>
                      ) : (
                        <mark>{place.line.slice(place.from, place.to)}</mark>
                      )}
                      {place.line.slice(place.to, place.to + 60)}
                    </code>
                  </small>
                </span>
              </button>
            </li>
          ))}
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

function Icon({ id }: { id: Id }) {
  const element = useElement(id)
  return element ? <KindIcon name={element.parent === null ? 'scenario' : iconOf(element.kind, element.fields)} /> : null
}

function Choice({ label, sign, on, set }: { label: string; sign: ReactNode; on: boolean; set: (on: boolean) => void }) {
  return (
    <Tooltip title={label}>
      <Button type={on ? 'default' : 'text'} size="small" aria-label={label} aria-pressed={on} onClick={() => set(!on)}>
        {sign}
      </Button>
    </Tooltip>
  )
}

/** A filter by sort of match. */
function Sorts({ only, choose }: { only: FoundSort | undefined; choose: (only: FoundSort | undefined) => void }) {
  const { t } = useLingui()
  return (
    <Segmented<FoundSort | 'all'>
      size="small"
      className="h-find-sorts"
      value={only ?? 'all'}
      onChange={next => choose(next === 'all' ? undefined : next)}
      aria-label={t`Where to find`}
      options={[
        { value: 'all', label: t`Everywhere` },
        { value: 'name', label: t`Names` },
        { value: 'formula', label: t`Formulas` },
        { value: 'tag', label: t`Tags` },
        { value: 'text', label: t`Texts` },
      ]}
    />
  )
}
