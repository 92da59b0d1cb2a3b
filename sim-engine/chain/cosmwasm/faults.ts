// How a message ends that does not succeed: all that it did is undone.

/** A contract, or what it asked for, said no. */
export class MessageFault extends Error {}

/** The gas ran out: the whole transaction ends, unless a submessage had its own limit. */
export class OutOfGas extends Error {
  constructor() {
    super('out of gas')
  }
}
