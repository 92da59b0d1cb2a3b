// The door to the queue of runs in a PostgreSQL database, for servers.
export { lead, type Leader } from './experiment/queue/leader.ts'
export { ownWorkers, work } from './experiment/queue/worker.ts'
export type { QueueConnection } from './experiment/queue/tables.ts'
