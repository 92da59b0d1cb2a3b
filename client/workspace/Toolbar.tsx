// What stands above a list of files: title, order, layout, upload, new.
import { AppstoreOutlined, PlusOutlined, SortAscendingOutlined, UnorderedListOutlined, UploadOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Segmented, Select } from 'antd'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import type { Actions } from './useActions.ts'
import { setLayout, setOrder, useView } from './view.ts'
import style from './workspace.module.css'

export function Toolbar({ title, children, sortable = true }: { title: string; children?: ReactNode; sortable?: boolean }) {
  const { t } = useLingui()
  const { layout, order } = useView()
  return (
    <div className={style['toolbar']}>
      <h1>{title}</h1>
      {sortable ? (
        <>
          <Select
            value={order}
            onChange={setOrder}
            variant="borderless"
            prefix={<SortAscendingOutlined aria-hidden />}
            aria-label={t`Order`}
            popupMatchSelectWidth={false}
            options={[
              { value: 'opened', label: t`Last opened` },
              { value: 'updated', label: t`Last changed` },
              { value: 'created', label: t`Created` },
              { value: 'name', label: t`Name` },
            ]}
          />
          <Segmented
            value={layout}
            onChange={setLayout}
            aria-label={t`Layout`}
            options={[
              { value: 'cards', icon: <AppstoreOutlined aria-hidden />, title: t`Cards` },
              { value: 'rows', icon: <UnorderedListOutlined aria-hidden />, title: t`List` },
            ]}
          />
        </>
      ) : null}
      {children}
    </div>
  )
}

export function UploadButton({ actions }: { actions: Actions }) {
  const { t } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={<UploadOutlined aria-hidden />} onClick={() => field.current?.click()} aria-label={t`Upload .holo files`}>
        <span className={style['wide']}>
          <Trans>Upload</Trans>
        </span>
      </Button>
      <input
        ref={field}
        type="file"
        accept=".holo,.json,application/json"
        multiple
        hidden
        data-testid="upload"
        onChange={event => {
          actions.upload([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}

export function NewButton({ actions }: { actions: Actions }) {
  return (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={actions.create} data-testid="new-model">
      <Trans>New model</Trans>
    </Button>
  )
}
