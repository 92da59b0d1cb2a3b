// What can be asked of the guide, without what answers it: read by pages.
export { suggestions, understood, type Answer, type Line, type Question } from './copilot/questions.ts'
