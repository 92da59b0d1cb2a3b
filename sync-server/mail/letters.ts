// The mails we write, in both interface languages.

export type Locale = 'en-US' | 'zh-CN'
export type Letter = { to: string; subject: string; body: string }

/** To a new account: the code, and a link that carries it. */
export function activationLetter(to: string, code: string, link: string, locale: Locale): Letter {
  if (locale === 'zh-CN') {
    return {
      to,
      subject: `激活您的 Holarchy 账号:${code}`,
      body: `欢迎使用 Holarchy!\n\n激活码:${code}\n\n也可以直接打开此链接激活:\n${link}\n\n激活码 30 分钟内有效。如果不是您本人注册,请忽略此邮件。\n`,
    }
  }
  return {
    to,
    subject: `Activate your Holarchy account: ${code}`,
    body: `Welcome to Holarchy!\n\nYour activation code: ${code}\n\nOr open this link:\n${link}\n\nThe code is good for 30 minutes. If you did not register, ignore this mail.\n`,
  }
}

/** To somebody who forgot the password. */
export function resetLetter(to: string, code: string, locale: Locale): Letter {
  if (locale === 'zh-CN') {
    return {
      to,
      subject: `Holarchy 验证码:${code}`,
      body: `重置密码的验证码:${code}\n\n30 分钟内有效。如果不是您本人操作,请忽略此邮件,密码不会改变。\n`,
    }
  }
  return {
    to,
    subject: `Your Holarchy verification code: ${code}`,
    body: `The code to set a new password: ${code}\n\nIt is good for 30 minutes. If you did not ask for it, ignore this mail; your password stays as it is.\n`,
  }
}

/** To somebody who is invited to a workspace or a file. */
export function invitationLetter(to: string, by: string, what: string, link: string, locale: Locale): Letter {
  // A name is chosen by its bearer: nothing of it may start a new line.
  const [who, where] = [by, what].map(text => text.replaceAll(/\p{Cc}/gu, ' '))
  if (locale === 'zh-CN') {
    return {
      to,
      subject: `${who} 邀请您加入“${where}”`,
      body: `${who} 邀请您加入“${where}”。\n\n打开此链接接受或拒绝:\n${link}\n\n如果您不认识邀请人,请忽略此邮件。\n`,
    }
  }
  return {
    to,
    subject: `${who} invites you to “${where}”`,
    body: `${who} invites you to “${where}”.\n\nOpen this link to accept or reject:\n${link}\n\nIf you do not know who invites you, ignore this mail.\n`,
  }
}
