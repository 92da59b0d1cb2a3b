// Texts in Chinese, from its catalogue.
import { speakTo } from '../../model-schema/languages/catalogues.ts'

export const chinese = speakTo('zh-CN')
