// The icon set of kinds: line drawings in a 16 x 16 box, as SVG path data, so that the canvas, the palette and an
// exported SVG draw the same thing. `solid` icons are filled, the rest stroked.
import type { Json } from '../../model-schema/kinds/kind.ts'

export type Icon = { readonly d: string; readonly solid?: boolean }

const icons = {
  agent: { d: 'M8 7.5a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM2.5 14c.3-3 2.4-4.5 5.5-4.5s5.2 1.5 5.5 4.5' },
  cell: { d: 'M2.5 2.5h11v11h-11ZM2.5 6.2h11M2.5 9.8h11M6.2 2.5v11M9.8 2.5v11' },
  link: { d: 'M4 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM12 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM5.4 10.6l5.2-5.2' },
  space: { d: 'M5.5 2v8.5H14M5.5 10.5 2 14M8.5 5.5h3v2.5h-3Z' },
  variable: {
    d: 'M4.5 5.5c1.6-.6 2 .3 2.6 2.4.8 2.6 1.3 3.5 3.4 2.7M11 5.2c-2.4.4-3 5.6-6 5.6M3 2.5c-1.2 3.6-1.2 7.400 0 11M13 2.5c1.200 3.600 1.200 7.400 0 11',
  },
  interface: { d: 'M2 8h7M6.500 5.500 9 8l-2.500 2.500M9 3h3.500a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H9' },
  container: {
    d: 'M8 5.500c3 0 5.200-.8 5.200-1.750S11 2 8 2 2.800 2.800 2.800 3.750 5 5.500 8 5.500ZM2.800 3.750v8.500C2.800 13.200 5 14 8 14s5.200-.8 5.200-1.750v-8.500M2.800 8C2.800 8.950 5 9.750 8 9.750S13.200 8.950 13.200 8',
  },
  message: { d: 'M2 3.500h12v9H2ZM2 4l6 4.800L14 4' },
  function: { d: 'M10.800 2.800C8.600 1.900 7.900 3.200 7.500 5.300L6.200 11.500c-.4 1.900-1.300 2.500-3 1.900M4.500 6.500h6' },
  tagset: { d: 'M2.500 2.500h5l6 6-5 5-6-6ZM5.300 5.300h.01' },
  statistic: { d: 'M12.500 4.500v-2h-9L8 8l-4.500 5.500h9v-2' },
  test: { d: 'M6 2h4M6.700 2v4L3 12.500c-.5.9.1 1.500 1 1.500h8c.9 0 1.500-.6 1-1.500L9.300 6V2M4.900 10h6.200' },
  chart: { d: 'M2.500 2v11.500H14M4.500 10.500 7.500 7l2.500 2 3.500-5' },
  area: { d: 'M2.500 2v11.500H14M4.500 10.500 7.500 6.500l2.500 2 3-4v6.500h-8.500Z' },
  pie: { d: 'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11ZM8 2.500V8l4.500 3.200' },
  scatter: { d: 'M2.500 2v11.500H14M5.500 10.500h.01M7 7.500h.01M9.500 9h.01M10 5.500h.01M12.500 6.500h.01M12.500 3.500h.01' },
  box: {
    d: 'M2.500 2v11.500H14M6 4v1.500M4.750 5.500h2.500v4h-2.500ZM4.750 7.500h2.500M6 9.500V11.500M11 3v2M9.750 5h2.500v3.500h-2.500ZM9.750 6.500h2.500M11 8.500v2',
  },
  heat: { d: 'M2.500 2v11.500H14M5 3.500h8v7.500H5ZM5 7.250h8M9 3.500v7.500M6 4.750h2M6.500 5.750h1M10.500 8.750h1' },
  table: { d: 'M2.500 3h11v10h-11ZM2.500 6.300h11M2.500 9.650h11M6.500 3v10' },
  bars: { d: 'M2.500 2v11.500H14M5.500 11V8M8.500 11V4.500M11.500 11V6.500' },
  histogram: { d: 'M2 13.500h12M3.500 13V10h2.250v3M5.750 13V6.500H8V13M8 13V4h2.250v9M10.250 13V8.500h2.250V13' },
  value: { d: 'M4 5.500 5.800 4v8M9 5.800C9.200 3.500 12.500 3.600 12.300 6c-.1 1.700-3 3.500-3.500 6h3.800' },
  worldView: { d: 'M2 3h12v10H2ZM5 6.500h.01M8.500 5.500h.01M11 9h.01M6 10h.01M9 8h.01' },
  networkChart: {
    d: 'M8 5.500a1.750 1.750 0 1 0 0-3.500 1.750 1.750 0 0 0 0 3.500ZM3.500 14a1.750 1.750 0 1 0 0-3.500 1.750 1.750 0 0 0 0 3.500ZM12.500 14a1.750 1.750 0 1 0 0-3.500 1.750 1.750 0 0 0 0 3.500ZM7.200 5.300 4.300 10.700M8.800 5.300l2.900 5.400M5.250 12.250h5.500',
  },
  slider: {
    d: 'M2 5h6M11.500 5H14M9.750 6.750a1.750 1.750 0 1 0 0-3.500 1.750 1.750 0 0 0 0 3.500ZM2 11h2.500M8 11h6M6.250 12.750a1.750 1.750 0 1 0 0-3.500 1.750 1.750 0 0 0 0 3.500Z',
  },
  number: { d: 'M2.500 4.500h11v7h-11ZM5 7l1-.8v3.600M10 7.300l1-1 1 1M10 8.800l1 1 1-1' },
  switch: {
    d: 'M5.500 4.500h5a3.500 3.500 0 0 1 0 7h-5a3.500 3.500 0 0 1 0-7ZM10.500 9.700a1.700 1.700 0 1 0 0-3.400 1.700 1.700 0 0 0 0 3.400Z',
  },
  select: { d: 'M2.500 4.500h11v7h-11ZM9 7l1.500 1.500L12 7M4.500 8h2' },
  button: { d: 'M2.500 5h11v5h-11ZM8.500 8l1.300 5 1.100-1.700 2 .2Z' },
  row: { d: 'M2 3.500h5v9H2ZM9 3.500h5v9H9Z' },
  column: { d: 'M2.500 2.500h11v4.500h-11ZM2.500 9h11v4.500h-11Z' },
  collapse: { d: 'M2.500 2.500h11v3.500h-11ZM5 4.250h.01M2.500 8.500h11v5h-11Z' },
  slides: { d: 'M2.500 5.500h11v8h-11ZM2.500 5.500v-3h4v3M8 2.500h4' },
  panel: { d: 'M2.500 2.500h11v11h-11ZM6.500 2.500v11M4 5h1M4 7.500h1' },
  longText: { d: 'M2.500 2.500h11v11h-11ZM5 6h6M5 8.500h6M5 11h3.500' },
  text: { d: 'M2.500 4.500h11v7h-11ZM5 6.500h3M6.500 6.500v3' },
  lock: { d: 'M4 7.500h8v6H4ZM5.500 7.500V5a2.500 2.500 0 0 1 5 0v2.500' },
  process: { d: 'M1.500 6h4v4h-4ZM10.500 6h4v4h-4ZM5.500 8h5M9 6.500 10.500 8 9 9.500' },
  event: { d: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z' },
  startEvent: { d: 'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11ZM6.800 5.800v4.400L10.200 8Z' },
  endEvent: { d: 'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11ZM6 6h4v4H6Z' },
  ring: { d: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 12A4 4 0 1 0 8 4a4 4 0 0 0 0 8Z' },
  timer: { d: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.500V8l2.300 1.600' },
  condition: { d: 'M3.500 2h9v12h-9ZM5.500 5h5M5.500 8h5M5.500 11h5' },
  receive: { d: 'M2 3.500h12v9H2ZM2 4l6 4.800L14 4' },
  send: { d: 'M2 3.200h12L8 7.900ZM1.800 4.600 8 9.500l6.200-4.900v8H1.800Z', solid: true },
  signal: { d: 'M8 2.500 14 13H2Z' },
  throwSignal: { d: 'M8 2.500 14 13H2Z', solid: true },
  error: { d: 'M3 13.500 6.200 3l3.300 5.800L13 3 10 13.200 6.700 8Z' },
  terminate: { d: 'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11Z', solid: true },
  compute: {
    d: 'M5.500 2.500c-2 0-1.500 1.700-1.500 3S3.500 8 2 8c1.500 0 2 1.200 2 2.500s-.500 3 1.500 3M10.500 2.500c2 0 1.500 1.700 1.500 3S12.500 8 14 8c-1.500 0-2 1.200-2 2.500s.500 3-1.500 3M6.500 8h3',
  },
  delay: { d: 'M4 2h8M4 14h8M5 2v2.500L8 8l3-3.500V2M5 14v-2.500L8 8l3 3.500V14' },
  ask: { d: 'M2 3h12v8H8l-3.500 3v-3H2ZM5 7h.01M8 7h.01M11 7h.01' },
  call: { d: 'M2.500 8h8M7.500 5l3 3-3 3M9 2.500h4.500v11H9' },
  subprocess: { d: 'M2.500 2.500h11v11h-11ZM8 5v6M5 8h6' },
  create: { d: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v6M5 8h6' },
  destroy: { d: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM5.800 5.800l4.400 4.400M10.200 5.800l-4.400 4.400' },
  move: { d: 'M2 8h11M9 4l4 4-4 4' },
  place: {
    d: 'M8 14S3.500 9.500 3.500 6.300a4.500 4.500 0 0 1 9 0C12.500 9.500 8 14 8 14ZM8 8a1.600 1.600 0 1 0 0-3.200A1.600 1.600 0 0 0 8 8Z',
  },
  operate: {
    d: 'M8 5c2.500 0 4.300-.7 4.300-1.500S10.500 2 8 2s-4.300.7-4.300 1.500S5.500 5 8 5ZM3.700 3.500v6.300C3.700 10.600 5.500 11.300 8 11.300M12.300 3.500v4M9.500 13h5M12.500 11l2 2-2 2',
  },
  request: {
    d: 'M8 5c2.500 0 4.300-.7 4.300-1.500S10.500 2 8 2s-4.300.7-4.300 1.500S5.500 5 8 5ZM3.700 3.500v6.300C3.700 10.600 5.500 11.300 8 11.300M12.300 3.500v4M9.500 13h5M12.500 11l2 2-2 2',
  },
  release: {
    d: 'M8 5c2.500 0 4.300-.7 4.300-1.500S10.500 2 8 2s-4.300.7-4.300 1.500S5.500 5 8 5ZM3.700 3.500v6.300C3.700 10.600 5.500 11.300 8 11.300M12.300 3.500v4M14.500 13h-5M11.500 11l-2 2 2 2',
  },
  decide: { d: 'M8 2v4M8 6l-4.500 4M8 6l4.500 4M3.500 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM12.500 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z' },
  transaction: { d: 'M6.500 9.500l3-3M7 4.500l1.500-1.500a3 3 0 0 1 4.500 4.500L11.500 9M9 11.500 7.500 13A3 3 0 0 1 3 8.500L4.500 7' },
  log: { d: 'M3 3.500h10M3 6.500h7M3 9.500h10M3 12.500h5' },
  network: {
    d: 'M3 6a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3ZM3 13a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3ZM13 9.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3ZM4.500 5l7 2.500M4.500 11l7-2.500',
  },
  chain: { d: 'M8 1.800 13.400 5v6L8 14.200 2.600 11V5ZM2.600 5 8 8.200 13.400 5M8 8.200v6' },
  note: { d: 'M2.500 2.500h11V10L10 13.500H2.500ZM10 13.500V10h3.500M5 5.500h6M5 8h3' },
  image: { d: 'M2 3h12v10H2ZM2 11l3.500-4 3 3.500L10.500 8 14 12M10.500 5.500h.01' },
  frame: { d: 'M4 1.500v13M12 1.500v13M1.500 4h13M1.500 12h13' },
  exclusive: { d: 'M5 5l6 6M11 5l-6 6' },
  parallel: { d: 'M8 3.800v8.400M3.800 8h8.400' },
  inclusive: { d: 'M8 11.800a3.800 3.800 0 1 0 0-7.600 3.800 3.800 0 0 0 0 7.600Z' },
  synchronizing: { d: 'M8 12.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM8 5.500v5M5.500 8h5' },
  eventGateway: { d: 'M8 13a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM8 5.300l2.600 1.900-1 3H6.400l-1-3Z' },
  mofn: { d: 'M8 3.800v8.400M3.800 8h8.400M5 5l6 6M11 5l-6 6' },
  probability: {
    d: 'M5.200 6.600a1.400 1.400 0 1 0 0-2.800 1.400 1.400 0 0 0 0 2.800ZM10.800 12.200a1.400 1.400 0 1 0 0-2.800 1.400 1.400 0 0 0 0 2.800ZM11.200 4.500l-6.400 7',
  },
  gateway: { d: 'M8 1.500 14.500 8 8 14.500 1.500 8Z' },
  flow: { d: 'M2 12h5V4h6M10.500 1.500 13 4l-2.500 2.500' },
  scenario: { d: 'M2.500 3.500h11v9h-11ZM2.500 6.500h11M5 3.500v9' },
  block: { d: 'M8 1.800 13.400 5v6L8 14.200 2.600 11V5Z' },
  unknown: {
    d: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.200 6.300C6.300 4.200 9.900 4.300 9.700 6.500 9.600 7.800 8 7.900 8 9.300M8 11.300h.01',
  },
} as const satisfies Readonly<Record<string, Icon>>

type IconName = keyof typeof icons

const isIcon = (name: string): name is IconName => Object.hasOwn(icons, name)

export const iconNamed = (name: string): Icon => (isIcon(name) ? icons[name] : icons.unknown)

type Family = 'entity' | 'data' | 'process' | 'view'

/** The family of elements an icon belongs to, which determines its tint; null for purely decorative ones. */
export function familyOf(icon: string): Family | null {
  if (/^(agent|cell|link|space)$/.test(icon)) return 'entity'
  if (/^(variable|interface|container|tagset|statistic|test|network|chain)$/.test(icon)) return 'data'
  if (/^(chart|area|pie|scatter|box|heat|table|bars|histogram|value|worldView|networkChart|slider|number|switch|select|button)$/.test(icon))
    return 'view'
  return /^(note|image|frame|scenario|block|unknown|flow)$/.test(icon) ? null : 'process'
}

type Fields = Readonly<Record<string, Json>>

/** The icon that distinguishes this element from others of its kind: an event's trigger, a gateway's type, a chart's sort. */
export function iconOf(kind: string, fields: Fields): IconName {
  switch (kind) {
    case 'start':
    case 'intermediate':
    case 'boundary':
      return triggerIcons[String(fields['trigger'])] ?? (kind === 'start' ? 'startEvent' : 'ring')
    case 'end':
      return fields['result'] === 'terminate' ? 'terminate' : fields['result'] === 'error' ? 'error' : 'endEvent'
    case 'gateway':
      return gatewayIcon(fields)
    case 'chart':
    case 'plot':
      return chartIcons[String(fields['type'])] ?? 'chart'
    case 'controller': {
      const type = String(fields['type'])
      return isIcon(type) ? type : 'slider'
    }
    case 'cardGroup': {
      const layout = String(fields['layout'])
      return isIcon(layout) ? layout : 'row'
    }
    case 'operate':
      return fields['operation'] === 'release' || fields['operation'] === 'put' ? 'release' : 'operate'
    case 'blockchain':
    case 'contract':
      return 'chain'
    default:
      return isIcon(kind) ? kind : kind.endsWith('Connector') ? 'flow' : 'unknown'
  }
}

/** The sign inside an event or gateway; null where BPMN draws none. */
export function markerOf(kind: string, fields: Fields): IconName | null {
  if (kind === 'start' && (fields['trigger'] ?? 'none') === 'none') return null
  if (kind === 'end' && (fields['result'] ?? 'none') === 'none') return null
  return iconOf(kind, fields)
}

const triggerIcons: Readonly<Record<string, IconName>> = {
  timer: 'timer',
  condition: 'condition',
  message: 'receive',
  receive: 'receive',
  send: 'send',
  signal: 'signal',
  throwSignal: 'throwSignal',
  error: 'error',
}

const chartIcons: Readonly<Record<string, IconName>> = {
  area: 'area',
  bar: 'bars',
  pie: 'pie',
  scatter: 'scatter',
  histogram: 'histogram',
  box: 'box',
  heat: 'heat',
  table: 'table',
  value: 'value',
}

function gatewayIcon(fields: Fields): IconName {
  const type = String(fields['type'] ?? 'exclusive')
  if (type === 'exclusive') return fields['by'] === 'probability' ? 'probability' : 'exclusive'
  if (type === 'event') return 'eventGateway'
  return isIcon(type) ? type : 'exclusive'
}
