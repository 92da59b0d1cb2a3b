/** The place in a chart's properties where measures are chosen, as `Editor.reveal` is told it. */
export const seriesMeasures = 'series/measures'
