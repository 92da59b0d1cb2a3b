// Actions on a network besides setting its fields: import and export of weights, a view of its inside, a fit to a table.
import { DownOutlined, ExperimentOutlined, EyeOutlined, UploadOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Dropdown } from 'antd'
import { useId, useState } from 'react'
import type { Element } from '../../../model-schema/model.ts'
import { describe, toOnnx, toSafetensors } from '../../../sim-engine/network.ts'
import { useEditor } from '../../editor/useEditor.ts'
import { useWords } from '../../i18n/locale.ts'
import { download } from '../../run/download.ts'
import { complain, say, warn } from '../../ui/toast.ts'
import { FitDialog } from './FitDialog.tsx'
import { NetworkDialog } from './NetworkDialog.tsx'
import { putWeights, unitsOf, weightsOf } from './weights.ts'
import './network.css'

export function NetworkTools({ element }: { element: Element }) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const id = useId()
  const [shown, setShown] = useState<'inside' | 'fit' | null>(null)
  const described = describe(element.fields)
  const network = 'field' in described ? null : described
  const name = typeof element.fields['name'] === 'string' && element.fields['name'] !== '' ? element.fields['name'] : 'network'
  const load = async (file: File | undefined): Promise<void> => {
    if (!file) return
    const read = weightsOf(new Uint8Array(await file.arrayBuffer()), file.name, editor.model, element.id)
    if ('words' in read) return warn(words(read.words))
    const refused = putWeights(editor.doc, element.id, read.fields)
    if (refused !== null) return warn(words(refused.words))
    say(t`The weights were loaded.`)
  }
  const save = (form: string): void => {
    if (network === null) return
    const bytes = form === 'onnx' ? toOnnx(network, network.softmax) : toSafetensors(network)
    download(new Blob([bytes]), `${name}.${form}`)
  }
  return (
    <div
      className="h-network-tools"
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        if (editor.writable) void load(event.dataTransfer.files[0]).catch(complain)
      }}
    >
      <Button icon={<EyeOutlined aria-hidden />} disabled={network === null} onClick={() => setShown('inside')}>
        <Trans>Look inside</Trans>
      </Button>
      {editor.writable && (
        <>
          <input
            id={id}
            type="file"
            accept=".onnx,.safetensors"
            className="h-visually-hidden"
            tabIndex={-1}
            aria-hidden="true"
            data-testid="weights-file"
            onChange={event => {
              void load(event.target.files?.[0]).catch(complain)
              event.target.value = ''
            }}
          />
          <Button icon={<UploadOutlined aria-hidden />} onClick={() => document.getElementById(id)?.click()}>
            <Trans>Load weights</Trans>
          </Button>
          <Button icon={<ExperimentOutlined aria-hidden />} onClick={() => setShown('fit')}>
            <Trans>Fit to data</Trans>
          </Button>
        </>
      )}
      <Dropdown
        trigger={['click']}
        disabled={network === null}
        menu={{
          items: [
            { key: 'onnx', label: 'ONNX' },
            { key: 'safetensors', label: 'safetensors' },
          ],
          onClick: ({ key }) => save(key),
        }}
      >
        <Button>
          <Trans>Save weights</Trans> <DownOutlined aria-hidden />
        </Button>
      </Dropdown>
      {shown === 'inside' && network !== null && (
        <NetworkDialog
          network={network}
          name={name}
          units={unitsOf(editor.model, element.id, network.shape)}
          onClose={() => setShown(null)}
        />
      )}
      {shown === 'fit' && <FitDialog element={element} onClose={() => setShown(null)} />}
    </div>
  )
}
