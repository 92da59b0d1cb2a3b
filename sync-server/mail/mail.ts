// Mail goes out through SMTP, or, when none is set up, into a table that a page on this machine shows.
import { createTransport } from 'nodemailer'
import type { Db } from '../db/database.ts'
import type { Letter } from './letters.ts'

export type Mail = {
  /** True when letters stay here, for the outbox page. */
  readonly keepsLetters: boolean
  send(letter: Letter): Promise<void>
  close(): void
}

/** Sends by SMTP (`smtp://user:password@host:587`, `smtps://…`). */
export function smtpMail(url: string, from: string): Mail {
  const transport = createTransport(url, { from })
  return {
    keepsLetters: false,
    send: async letter => void (await transport.sendMail({ to: letter.to, subject: letter.subject, text: letter.body })),
    close: () => transport.close(),
  }
}

const maxMailsKept = 200

/** Keeps the last letters in the database. */
export function outboxMail(db: Db): Mail {
  return {
    keepsLetters: true,
    send: async ({ to, subject, body }) => {
      const { id } = await db.insertInto('mail_outbox').values({ recipient: to, subject, body }).returning('id').executeTakeFirstOrThrow()
      await db
        .deleteFrom('mail_outbox')
        .where('id', '<=', id - maxMailsKept)
        .execute()
    },
    close: () => {},
  }
}
