// How the panels of a chain write accounts, whole numbers and times.

/** An account's name; of an address without one the first and last digits, the whole of it as a title. */
export const Party = ({ name }: { name: string }) =>
  /^(0x[\da-fA-F]{40}|terra1[a-z\d]{38,58})$/.test(name) ? (
    <code title={name}>
      {name.slice(0, 10)}…{name.slice(-4)}
    </code>
  ) : (
    <>{name}</>
  )

export const number = (value: number, locale: string): string => value.toLocaleString(locale)
/** A whole number of any size, from decimal or hexadecimal digits. */
export const whole = (digits: string, locale: string): string => BigInt(digits).toLocaleString(locale)
/** The digits of a stored value that is a whole number, in quotes or not; null of all else. */
export const digitsIn = (value: string): string | null => /^"?(\d+|0x[\da-f]+)"?$/.exec(value)?.[1] ?? null
/** Times of a chain have no zone, as those of the model have none. */
export const clock = (seconds: number, locale: string): string =>
  new Date(seconds * 1000).toLocaleString(locale, { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'medium' })
