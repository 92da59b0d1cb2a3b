declare module 'virtual:antd-styles' {
  /** The address of the style sheet; null in a page that comes as one file. */
  const address: string | null
  export default address
}
