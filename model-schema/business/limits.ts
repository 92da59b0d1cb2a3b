// Sizes and times that the server, the client and the file reader agree on. Every number says its unit; where the product's
// rules name it, that is the source, the others are ours.

/** Characters of a password. */
export const PASSWORD = { min: 6, max: 128 } as const

/** Bytes of an uploaded image (cover, picture, avatar), and the types taken. */
export const IMAGE = { maxBytes: 5 * 1024 * 1024, types: ['image/jpeg', 'image/png'] } as const

/**
 * Characters of a picture inside a document, as a data URL. Far below an upload's limit because every collaborator gets it with the
 * document and one value of a document must fit a frame of the socket: clients shrink a picture to this before placing it.
 */
export const IMAGE_FIELD_LENGTH = 480_000

/** Above this many cells the world view leaves cell coordinates away. */
export const CELL_COORDINATES_MAX = 500

/** How long a toast stays, in milliseconds. */
export const TOAST = { messageMs: 3000, notificationMs: 4500 } as const

/** How often a visible page asks for a newer version of itself, and how long a script chunk may take, in milliseconds. */
export const VERSION_POLL_MS = 30_000
export const CHUNK_TIMEOUT_MS = 120_000

/** What one document may hold. Reading never fails above these; writing and files do. */
export const DOCUMENT = {
  /** Elements of one document, all scenarios together. */
  elements: 50_000,
  /** Characters of a .holo file. */
  fileLength: 20 * 1024 * 1024,
  /** Characters of one formula. */
  formulaLength: 100_000,
  /** Characters of a name (populations, variables, files, folders, scenarios). */
  nameLength: 128,
  /** Characters of any other text field. */
  textLength: 20_000,
  /** Rows of a table field. */
  rows: 10_000,
  /** How deep values may nest. */
  depth: 24,
  /** Characters of one value as JSON. */
  valueLength: 500_000,
  /** Bends of one connector. */
  bends: 64,
  /** Greatest absolute coordinate or size on a canvas, in canvas units. */
  coordinate: 10_000_000,
} as const

/** Characters of an artifact or an ABI, and of creation code (49,152 bytes, EIP-3860). */
export const CONTRACT = { interfaceLength: 350_000, codeLength: 350_000 } as const

/** Characters of the recording of a forked chain. */
export const RECORDING = { length: 350_000 } as const

/** Undo steps kept per person and document. */
export const UNDO_STEPS = 200

/** Pause after which typing starts a new undo step, in milliseconds. */
export const UNDO_PAUSE_MS = 500

/** Addresses in one invitation. */
export const INVITATION_ADDRESSES = 50
