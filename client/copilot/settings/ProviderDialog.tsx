// Connecting a language model, or changing how it is called. A key is sent once and never shown again.
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Alert, Flex, Form, Input, InputNumber, Modal, Select } from 'antd'
import { useState, type ReactNode } from 'react'
import { ApiError, server } from '../../api.ts'
import { wordsOfError } from '../../ui/notices.ts'
import { say } from '../../ui/toast.ts'
import type { Managed, Whose } from './Providers.tsx'

/** Where models are commonly served, and in which format. */
const places = [
  { id: 'openai', label: 'OpenAI', wire: 'openai', url: 'https://api.openai.com/v1' },
  { id: 'anthropic', label: 'Anthropic', wire: 'anthropic', url: 'https://api.anthropic.com/v1' },
  { id: 'ollama', label: 'Ollama', wire: 'openai', url: 'http://127.0.0.1:11434/v1' },
  { id: 'llama', label: 'llama.cpp', wire: 'openai', url: 'http://127.0.0.1:8080/v1' },
] as const

type Wire = (typeof places)[number]['wire']
type Limits = { dayTokens?: number | null; priceIn?: number | null; priceOut?: number | null; monthCost?: number | null }
type Entered = { label: string; wire: Wire; url: string; model: string; tools: 'calls' | 'text'; key?: string } & Limits

type Props = { whose: Whose; one: Managed | null; close: () => void; saved: () => Promise<void> }

export function ProviderDialog({ whose, one, close, saved }: Props) {
  const { t } = useLingui()
  const [form] = Form.useForm<Entered>()
  const [moved, setMoved] = useState(one === null)
  const save = useMutation({
    mutationFn: async ({ key = '', dayTokens = null, priceIn = null, priceOut = null, monthCost = null, ...named }: Entered) => {
      const rest = { ...named, dayTokens, priceIn, priceOut, monthCost }
      if (one === null) await server.copilot.providers.$post({ json: { ...rest, key, ...whose } })
      else
        await server.copilot.providers[':id'].$patch({
          param: { id: one.id },
          json: { ...rest, ...(key === '' && !moved ? {} : { key }) },
        })
    },
    onSuccess: async () => {
      await saved()
      say(one === null ? t`The language model is connected.` : t`The changes are saved.`)
      close()
    },
  })
  const watch = (_: unknown, { url, wire }: Entered): void => setMoved(one === null || url !== one.url || wire !== one.wire)
  return (
    <Modal
      open
      width={520}
      title={one === null ? t`Connect a language model` : t`Change “${one.label}”`}
      okText={one === null ? t`Connect` : t`Save`}
      confirmLoading={save.isPending}
      okButtonProps={{ htmlType: 'submit', form: 'language-model' }}
      onCancel={close}
    >
      <Form<Entered>
        form={form}
        name="language-model"
        layout="vertical"
        requiredMark={false}
        initialValues={one ?? { wire: 'openai', url: '', label: '', model: '', tools: 'calls' }}
        onValuesChange={watch}
        onFinish={entered => save.mutate(entered)}
      >
        {save.error === null ? null : (
          <Form.Item>
            <Alert type="error" showIcon title={wordsOf(save.error)} />
          </Form.Item>
        )}
        {one === null && (
          <Form.Item label={t`Where it is`} htmlFor="language-model-place">
            <Select<string>
              id="language-model-place"
              placeholder={t`Choose, or enter an address below`}
              onChange={id => {
                const place = places.find(each => each.id === id)
                if (place) form.setFieldsValue({ wire: place.wire, url: place.url, label: place.label })
              }}
              options={places.map(({ id, label }) => ({ value: id, label }))}
            />
          </Form.Item>
        )}
        <Form.Item
          name="url"
          label={t`Address, up to the version`}
          rules={[{ required: true, type: 'url', message: t`Enter an address.` }]}
        >
          <Input placeholder="https://…/v1" dir="ltr" maxLength={500} autoComplete="off" />
        </Form.Item>
        <Form.Item name="wire" label={t`Format`}>
          <Select<Wire>
            options={[
              { value: 'openai', label: t`Chat completions (OpenAI, Ollama, llama.cpp, vLLM …)` },
              { value: 'anthropic', label: t`Messages (Anthropic)` },
            ]}
          />
        </Form.Item>
        <Form.Item
          name="model"
          label={t`Model, as the provider calls it`}
          rules={[{ required: true, whitespace: true, message: t`Enter the model.` }]}
        >
          <Input dir="ltr" maxLength={200} autoComplete="off" />
        </Form.Item>
        <Form.Item name="label" label={t`Name here`} rules={[{ required: true, whitespace: true, message: t`Enter a name.` }]}>
          <Input maxLength={80} autoComplete="off" />
        </Form.Item>
        <Form.Item
          name="key"
          label={t`Key`}
          extra={
            one === null ? (
              <Trans>Kept sealed on the server, never shown again. Leave empty if there is none.</Trans>
            ) : moved ? (
              <Trans>Another address takes the key again.</Trans>
            ) : (
              <Trans>Leave empty to keep the one there is.</Trans>
            )
          }
        >
          <Input.Password autoComplete="new-password" maxLength={1000} dir="ltr" />
        </Form.Item>
        <Form.Item name="tools" label={t`How it uses tools`}>
          <Select<Entered['tools']>
            options={[
              { value: 'calls', label: t`Calls of tools` },
              { value: 'text', label: t`Blocks in its text, for models without calls` },
            ]}
          />
        </Form.Item>
        <Form.Item name="dayTokens" label={t`Tokens a day for each person`} extra={<Trans>Leave empty for no limit.</Trans>}>
          <InputNumber min={0} max={1_000_000_000} step={10_000} style={{ inlineSize: '100%' }} />
        </Form.Item>
        <Flex gap={12}>
          <Price name="priceIn" label={t`Price of a million tokens read`} />
          <Price name="priceOut" label={t`Price of a million tokens written`} />
        </Flex>
        <Price
          name="monthCost"
          label={t`Money for 30 days, of all who use it`}
          extra={<Trans>Counted by the prices above. Leave empty for no limit.</Trans>}
        />
      </Form>
    </Modal>
  )
}

/** An amount of US dollars. */
const Price = ({ name, label, extra }: { name: keyof Limits; label: string; extra?: ReactNode }) => (
  <Form.Item name={name} label={label} extra={extra} style={{ flex: 1 }}>
    <InputNumber min={0} max={1_000_000} step={0.5} prefix="US$" style={{ inlineSize: '100%' }} />
  </Form.Item>
)

/** The guard of addresses names the rule by which it refuses; this is shown to the user who entered the address. */
const wordsOf = (error: Error): string =>
  error instanceof ApiError && error.code === 'address-refused'
    ? `${wordsOfError(error)} (${error.message.replace(/^address-refused: /, '')})`
    : wordsOfError(error)
