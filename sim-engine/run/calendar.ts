// Timing by calendar: what a tick lasts, when the run begins and ends. Times are model times, without zones.
import type { Element } from '../../model-schema/model.ts'

const unitMs: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 }

export function calendarOf(scenario: Element): { epoch: { ms: number; msPerTick: number }; end: number } | null {
  const { timing, startTime, endTime, tickLength, tickUnit } = scenario.fields
  if (timing !== 'calendar') return null
  const msPerTick = (typeof tickLength === 'number' && tickLength > 0 ? tickLength : 1) * (unitMs[String(tickUnit)] ?? unitMs['day']!)
  const ms = parseTime(startTime) ?? Date.UTC(2026, 0, 1)
  const end = parseTime(endTime)
  return { epoch: { ms, msPerTick }, end: end === null ? Infinity : Math.max(0, (end - ms) / msPerTick) }
}

/** ISO date and time, read without a time zone. */
export function parseTime(text: unknown): number | null {
  const match = typeof text === 'string' ? /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?/.exec(text.trim()) : null
  if (!match) return null
  const [year, month, day, hour, minute, second] = match.slice(1).map(part => Number(part ?? 0))
  const ms = Date.UTC(year!, month! - 1, day, hour, minute, second)
  return Number.isNaN(ms) ? null : ms
}
