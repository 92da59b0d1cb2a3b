// The mails we write, in the language of who gets them.
import { speakTo } from '../../model-schema/languages/catalogues.ts'
import { say } from '../../model-schema/words.ts'

export type Letter = { to: string; subject: string; body: string }

/** To a new account: the code, and a link that carries it. */
export function activationLetter(to: string, code: string, link: string, locale: string | null): Letter {
  const speak = speakTo(locale)
  return {
    to,
    subject: speak(say('Activate your Holarchy account: {code}', { code })),
    body: speak(
      say(
        'Welcome to Holarchy!\n\nYour activation code: {code}\n\nOr open this link:\n{link}\n\nThe code is good for 30 minutes. If you did not register, ignore this mail.\n',
        { code, link },
      ),
    ),
  }
}

/** For a forgotten password. */
export function resetLetter(to: string, code: string, locale: string | null): Letter {
  const speak = speakTo(locale)
  return {
    to,
    subject: speak(say('Your Holarchy verification code: {code}', { code })),
    body: speak(
      say(
        'The code to set a new password: {code}\n\nIt is good for 30 minutes. If you did not ask for it, ignore this mail; your password stays as it is.\n',
        { code },
      ),
    ),
  }
}

/** For an invitation to a workspace or a file. */
export function invitationLetter(to: string, by: string, what: string, link: string, locale: string | null): Letter {
  const speak = speakTo(locale)
  // A name is chosen by its bearer: no part of it may start a new line.
  const [who, where] = [by, what].map(text => text.replaceAll(/\p{Cc}/gu, ' ')) as [string, string]
  return {
    to,
    subject: speak(say('{who} invites you to “{where}”', { who, where })),
    body: speak(
      say(
        '{who} invites you to “{where}”.\n\nOpen this link to accept or reject:\n{link}\n\nIf you do not know who invites you, ignore this mail.\n',
        { who, where, link },
      ),
    ),
  }
}
