// Makes runs of an experiment in a browser worker: attaches itself to the port it was born with.
import { serveRuns, type FromRunner, type ToRunner } from '../experiment.ts'
import { inWorker } from './scope.ts'

inWorker<ToRunner, FromRunner>(scope => serveRuns(message => scope.postMessage(message, [])))
