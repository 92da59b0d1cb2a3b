// Short messages (3 s) and notifications (4.5 s) from anywhere, shown by the antd instance that knows theme and language.
import type { MessageInstance } from 'antd/es/message/interface'
import type { HookAPI as ModalInstance } from 'antd/es/modal/useModal'
import type { NotificationInstance } from 'antd/es/notification/interface'
import { offerFor, wordsOfError } from './notices.ts'
import type { Offer } from './notices.ts'

type Shower = {
  message: MessageInstance
  notification: NotificationInstance
  modal: ModalInstance
  offerButton: (offer: Offer & { taken: () => void }) => React.ReactNode
}

let shower: Shower | null = null
let waiting: ((ready: Shower) => void)[] = []

/** Set once by the app's root; shows what was said before. */
export function setShower(next: Shower): void {
  shower = next
  for (const show of waiting) show(next)
  waiting = []
}

function showing(show: (ready: Shower) => void): void {
  if (shower === null) waiting.push(show)
  else show(shower)
}

/** Says that something worked. */
export function say(text: string): void {
  showing(({ message }) => void message.success(text))
}

/** Says why a wish was not granted. */
export function warn(text: string): void {
  showing(({ message }) => void message.warning(text))
}

/** Says what went wrong; where a larger plan or the shop helps, with the way there. */
export function complain(error: unknown): void {
  const text = typeof error === 'string' ? error : wordsOfError(error)
  const offer = offerFor(error)
  if (offer !== null)
    return showing(({ notification, offerButton }) => {
      const actions = offerButton({ ...offer, taken: () => notification.destroy('offer') })
      notification.warning({ key: 'offer', title: text, placement: 'bottomRight', actions })
    })
  showing(({ message }) => void message.error(text))
  if (typeof error !== 'string') console.warn(error)
}

/** A notification that stays a little longer, or until it is closed. */
export function notify(
  kind: 'info' | 'warning' | 'error',
  title: string,
  description: string,
  options: { key?: string; stay?: boolean; actions?: React.ReactNode } = {},
): void {
  showing(({ notification }) =>
    notification[kind]({
      title,
      description,
      placement: 'bottomRight',
      ...(options.key === undefined ? {} : { key: options.key }),
      ...(options.stay === true ? { duration: 0 } : {}),
      ...(options.actions === undefined ? {} : { actions: options.actions }),
    }),
  )
}

/** Takes a notification away before its time. */
export function hush(key: string): void {
  showing(({ notification }) => notification.destroy(key))
}

/** Asks before something that can't be undone, or with `undoable` before something that can; true when confirmed. */
export async function confirmed(question: {
  title: string
  content: string
  ok: string
  cancel: string
  undoable?: boolean
}): Promise<boolean> {
  const { modal } = await new Promise<Shower>(showing)
  return modal.confirm({
    title: question.title,
    content: question.content,
    okText: question.ok,
    cancelText: question.cancel,
    ...(question.undoable === true ? { icon: null } : { okButtonProps: { danger: true }, autoFocusButton: 'cancel' }),
  })
}
