// Controls of plain values: text, number, truth, choice, colour. Text is written when it is left or Enter is pressed,
// so that others never see half a word.
import { useLingui } from '@lingui/react/macro'
import { UploadOutlined } from '@ant-design/icons'
import { Button, ColorPicker, Input, InputNumber, Segmented, Select, Switch } from 'antd'
import { toBase64 } from 'lib0/buffer'
import { useEffect, useRef, useState } from 'react'
import { DOCUMENT } from '../../../model-schema/business/limits.ts'
import { useWords } from '../../i18n/locale.ts'
import { blankOf } from '../visible.ts'
import type { ControlProps } from './control.ts'
import { defined } from '../../ui/defined.ts'
import { complain, warn } from '../../ui/toast.ts'

export function TextControl({ id, field, value, disabled, blank, set, element }: ControlProps) {
  const { t } = useLingui()
  const words = useWords()
  const stored = typeof value === 'string' ? value : ''
  const [draft, setDraft, commit] = useDraft(`${element.id}/${field.id}`, stored, set)
  const long = field.type.as === 'text' && field.type.long
  const common = {
    id,
    value: draft,
    disabled,
    placeholder: value === undefined ? t`Different values` : (blank ?? blankOf(field.help, words)),
    maxLength:
      field.type.as === 'name' ? DOCUMENT.nameLength : ((field.type.as === 'text' ? field.type.most : undefined) ?? DOCUMENT.textLength),
    onBlur: commit,
  }
  if (field.type.as === 'text' && field.type.files !== undefined)
    return <FileText {...common} files={field.type.files} set={set} onChange={setDraft} />
  if (long) return <Input.TextArea {...common} autoSize={{ minRows: 2, maxRows: 8 }} onChange={event => setDraft(event.target.value)} />
  return <Input {...common} onChange={event => setDraft(event.target.value)} onPressEnter={commit} />
}

type FileTextProps = {
  id: string
  value: string
  disabled: boolean
  placeholder: string
  maxLength: number
  files: string
  set(value: string): void
  onChange(value: string): void
  onBlur(): void
}

/** A long text that usually comes from a file: chosen, or dropped on it. */
function FileText({ files, set, onChange, ...common }: FileTextProps) {
  const { t } = useLingui()
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return
    // Its text may be longer than the file by a third, as base64.
    if (file.size > common.maxLength) return warn(t`${file.name} is too large.`)
    const text = textOfBytes(new Uint8Array(await file.arrayBuffer()))
    if (text.length > common.maxLength) return warn(t`${file.name} is too large.`)
    onChange(text)
    set(text)
  }
  return (
    <div
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        if (!common.disabled) void take(event.dataTransfer.files[0]).catch(complain)
      }}
    >
      <Input.TextArea
        {...common}
        className="h-code-text"
        autoSize={{ minRows: 2, maxRows: 4 }}
        onChange={event => onChange(event.target.value)}
      />
      {!common.disabled && (
        <>
          <input
            ref={input}
            type="file"
            accept={files}
            className="h-visually-hidden"
            tabIndex={-1}
            aria-hidden="true"
            onChange={event => {
              void take(event.target.files?.[0]).catch(complain)
              event.target.value = ''
            }}
          />
          <Button type="link" size="small" icon={<UploadOutlined aria-hidden />} onClick={() => input.current?.click()}>
            {t`From a file`}
          </Button>
        </>
      )}
    </div>
  )
}

/** A file as text: modules of WebAssembly and what gzip has made as base64, everything else as it is. */
function textOfBytes(bytes: Uint8Array): string {
  const isBinary = (bytes[0] === 0 && bytes[1] === 0x61) || (bytes[0] === 0x1f && bytes[1] === 0x8b)
  if (!isBinary) return new TextDecoder().decode(bytes)
  return toBase64(bytes)
}

export function NumberControl({ id, field, value, disabled, blank, set }: ControlProps) {
  const { t } = useLingui()
  const words = useWords()
  if (field.type.as !== 'number') return null
  const { integer, min, max, unit } = field.type
  return (
    <InputNumber
      id={id}
      className="h-wide"
      value={typeof value === 'number' ? value : null}
      {...defined({ min, max })}
      {...(integer ? { precision: 0 } : {})}
      disabled={disabled}
      placeholder={value === undefined ? t`Different values` : (blank ?? blankOf(field.help, words))}
      suffix={unit ? words(unit) : undefined}
      changeOnBlur
      changeOnWheel={false}
      onChange={next => {
        const number = typeof next === 'number' && Number.isFinite(next) ? next : null
        if (number !== value) set(number)
      }}
    />
  )
}

export function BooleanControl({ id, value, disabled, set }: ControlProps) {
  return <Switch id={id} size="small" checked={value === true} disabled={disabled} onChange={set} />
}

/** Few short options lie side by side, more drop down. */
export function ChoiceControl({ id, field, value, disabled, set }: ControlProps) {
  const { t } = useLingui()
  const words = useWords()
  if (field.type.as !== 'choice') return null
  const options = Object.entries(field.type.options).map(([option, label]) => ({ value: option, label: words(label) }))
  const widest = Math.max(...options.map(option => widthOf(option.label)))
  if (options.length <= 4 && widest * options.length <= lineLetters)
    return (
      <Segmented
        id={id}
        block
        options={options}
        {...(typeof value === 'string' ? { value } : {})}
        disabled={disabled}
        onChange={set}
        aria-label={words(field.label)}
      />
    )
  return (
    <Select
      id={id}
      className="h-wide"
      options={options}
      {...(typeof value === 'string' ? { value } : {})}
      placeholder={t`Different values`}
      disabled={disabled}
      onChange={set}
      showSearch={options.length > 8 ? { optionFilterProp: 'label' } : false}
    />
  )
}

/** Letters of a line of options lying side by side, each as wide as the widest. */
const lineLetters = 22

/** Chinese signs are twice as wide. */
const widthOf = (text: string): number => [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 2 : 1), 0)

/** Colours that stay apart on light and dark worlds. */
const swatches = [
  '#4a7dff',
  '#1aa5b8',
  '#2f9e44',
  '#8fbf3f',
  '#f2b705',
  '#f27935',
  '#e03e52',
  '#c2459f',
  '#7a5af5',
  '#8d6e57',
  '#6b7686',
  '#1f2937',
  '#d7dde6',
  '#ffffff',
]

export function ColorControl({ field, value, disabled, set, element }: ControlProps) {
  const { t } = useLingui()
  const stored = typeof value === 'string' ? value : ''
  const [draft, setDraft, commit] = useDraft(`${element.id}/${field.id}`, stored, set)
  return (
    <ColorPicker
      value={draft === '' ? null : draft}
      disabled={disabled}
      disabledAlpha
      format="hex"
      showText={draft !== ''}
      allowClear={field.initial === ''}
      presets={[{ label: t`Colours`, colors: swatches }]}
      onChange={color => setDraft(color.cleared ? '' : color.toHexString())}
      onOpenChange={open => {
        if (!open) commit()
      }}
    />
  )
}

/** A value being edited: what is typed, until it is committed; what others write shows while nothing is typed. */
function useDraft(key: string, stored: string, set: (value: string) => void): [string, (next: string) => void, () => void] {
  const [draft, setDraft] = useState<{ key: string; text: string } | null>(null)
  const latest = useRef({ draft, stored, set })
  useEffect(() => {
    latest.current = { draft, stored, set }
  })
  const commit = (): void => {
    const { draft, stored, set } = latest.current
    if (draft && draft.key === key && draft.text !== stored) set(draft.text)
    setDraft(null)
  }
  // Selecting something else while typing keeps what was typed.
  useEffect(
    () => () => {
      const { draft, stored, set } = latest.current
      if (draft && draft.key === key && draft.text !== stored) set(draft.text)
    },
    [key],
  )
  return [draft && draft.key === key ? draft.text : stored, text => setDraft({ key, text }), commit]
}
