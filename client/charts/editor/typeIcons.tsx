// A small drawing for each type of chart, in the colour of the text around it.

const paths: Readonly<Record<string, string>> = {
  auto: 'M3 13l6-6M11 2v3M9.5 3.500h3M13 8v2.500M11.700 9.200h2.600M7 5.500 9.500 8',
  line: 'M2 12l4-5 3 3 5-7',
  area: 'M2 13V9l4-4 3 3 5-5v10Z',
  bar: 'M3 13V8h2.500v5ZM7 13V4h2.500v9ZM11 13V6.500h2.500V13Z',
  stacked: 'M3 13V7h3v6ZM3 7V4h3v3M9.500 13V9h3v4ZM9.500 9V3h3v6',
  pie: 'M8 2a6 6 0 1 0 6 6H8ZM10 2.300A6 6 0 0 1 13.700 6H10Z',
  scatter: 'M4 11h.01M6.500 7.500h.01M8.500 10h.01M10 5h.01M12.500 7h.01M12 3h.01M3.500 6h.01',
  histogram: 'M2 13v-3h3v3M5 13V5h3v8M8 13V3h3v10M11 13V8h3v5M2 13h12',
  box: 'M8 2v3M8 11v3M4.500 5h7v6h-7ZM4.500 8.500h7',
  violin: 'M8 2c.5 2.500 3.500 3 3.500 6S8.500 11.500 8 14c-.5-2.500-3.500-3-3.500-6S7.500 4.500 8 2Z',
  heat: 'M2.500 2.500h11v11h-11ZM2.500 6.200h11M2.500 9.900h11M6.200 2.500v11M9.900 2.500v11',
  bands: 'M2 10c3-5 5 1 12-6M2 12.500c3-3 6 0 12-5M2 7c3-5 5-1 12-4.500',
  pareto: 'M3 3v4h3v3h4v3h4M9 5h.01M11 8h.01M12.500 4h.01',
  parallel: 'M3 2.500v11M8 2.500v11M13 2.500v11M3 5l5 5 5-6M3 11l5-5 5 5',
  table: 'M2.500 3h11v10h-11ZM2.500 6.300h11M2.500 9.600h11M6.500 3v10',
  value: 'M4 5.500 6 4v8M9.500 5.500c0-2 4-2 4 .5 0 2-4 3.500-4 6h4',
  gauge: 'M2.500 11.500a6 6 0 1 1 11 0M8 9.500 10.500 6',
  world: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM2 8h12M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12',
  network:
    'M4 5.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3ZM12 7a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3ZM6.500 13.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3ZM5.400 4.500l5.100.8M4.500 5.400 6 10.600M11 6.600l-3.500 4.200',
}

export const TypeIcon = ({ type }: { type: string }) => (
  <svg
    width={18}
    height={18}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth={type === 'scatter' ? 2.2 : 1.3}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[type] ?? ''} />
  </svg>
)
