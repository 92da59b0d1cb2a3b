/** The place in a chart's properties where measures are chosen, as passed to `Editor.reveal`. */
export const seriesMeasures = 'series/measures'
