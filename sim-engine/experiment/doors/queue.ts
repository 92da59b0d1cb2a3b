// The door to the queue of runs in a PostgreSQL database, for servers.
export { lead, type Leader } from '../queue/leader.ts'
export { ownWorkers, work } from '../queue/worker.ts'
export type { QueueConnection } from '../queue/tables.ts'
