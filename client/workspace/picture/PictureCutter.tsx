// A picture in its frame: dragged with the pointer, moved by the arrow keys, made larger by the wheel or the slider; then cut.
import { useLingui } from '@lingui/react/macro'
import { Modal, Slider } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useDrag } from '../../ui/gestures/drag.ts'
import { complain } from '../../ui/toast.ts'
import { cutOf, cutPicture } from './picture.ts'
import type { Size } from './picture.ts'
import style from '../workspace.module.css'

type Props = {
  picture: ImageBitmap
  type: 'image/png' | 'image/jpeg'
  shape: Size
  close: () => void
  done: (image: Blob) => void
}

const mostZoom = 8

export function PictureCutter({ picture, type, shape, close, done }: Props) {
  const { t } = useLingui()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [zoom, setZoom] = useState(1)
  const [centre, setCentre] = useState({ x: 0.5, y: 0.5 })
  const [busy, setBusy] = useState(false)
  const cut = cutOf(picture, shape, zoom, centre)
  const width = Math.min(320, Math.round((320 * shape.width) / shape.height))
  const height = Math.round((width * shape.height) / shape.width)
  useEffect(() => {
    const pen = canvas.current?.getContext('2d')
    if (pen === null || pen === undefined) return
    pen.clearRect(0, 0, width * 2, height * 2)
    pen.drawImage(picture, cut.x, cut.y, cut.width, cut.height, 0, 0, width * 2, height * 2)
  })
  /** Moves what is seen by a part of the frame. */
  const shift = (dx: number, dy: number): void =>
    setCentre({
      x: (cut.x + cut.width / 2 + dx * cut.width) / picture.width,
      y: (cut.y + cut.height / 2 + dy * cut.height) / picture.height,
    })
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    if (step !== undefined) shift((step[0] ?? 0) * 0.05, (step[1] ?? 0) * 0.05)
    else if (event.key === '+' || event.key === '-')
      setZoom(now => Math.min(mostZoom, Math.max(1, now * (event.key === '+' ? 1.1 : 1 / 1.1))))
    else return
    event.preventDefault()
  }
  const { handlers } = useDrag<HTMLCanvasElement>({
    move: event => shift(-event.movementX / width, -event.movementY / height),
  })
  const keep = async (): Promise<void> => {
    setBusy(true)
    try {
      done(await cutPicture(picture, cut, shape, type))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title={t`Choose the part to show`}
      okText={t`Use it`}
      confirmLoading={busy}
      onOk={() => void keep().catch(complain)}
      onCancel={close}
      width={380}
      destroyOnHidden
    >
      <div className={style['cutter']}>
        <canvas
          ref={canvas}
          width={width * 2}
          height={height * 2}
          style={{ inlineSize: width, blockSize: height }}
          tabIndex={0}
          role="img"
          aria-label={t`The part that is kept; move it with the arrow keys`}
          onKeyDown={onKey}
          {...handlers}
          onWheel={event => setZoom(now => Math.min(mostZoom, Math.max(1, now * (event.deltaY < 0 ? 1.1 : 1 / 1.1))))}
        />
        <Slider
          min={1}
          max={mostZoom}
          step={0.01}
          value={zoom}
          onChange={setZoom}
          tooltip={{ formatter: value => `${Math.round((value ?? 1) * 100)} %` }}
          aria-label={t`Zoom`}
          style={{ inlineSize: width }}
        />
      </div>
    </Modal>
  )
}
