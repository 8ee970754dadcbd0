import type { CaptureProblem } from '@/lib/core/streams/go-live/publisher-state';
import type { VideoSource } from '@/lib/core/streams/go-live/quality';
import { defaultMicrophone, type MediaDeviceLists, type MicrophoneChoice } from './media-devices';

/** State of the sources, as the page shows it. */
export interface SourcesSnapshot extends MediaDeviceLists {
  /** Source of the video; null: no camera or screen is open. */
  readonly source: VideoSource | null;
  /** The video that is published, for a preview on the page; null without a video source. */
  readonly previewStream: MediaStream | null;
  /** Whether the preview is mirrored: a front camera is, but only in the preview. */
  readonly isMirrored: boolean;
  readonly cameraId: string | null;
  readonly hasMicrophone: boolean;
  readonly hasScreenAudio: boolean;
  readonly microphone: MicrophoneChoice;
  readonly isVideoOff: boolean;
  readonly isAudioOff: boolean;
  readonly captureProblem: CaptureProblem | null;
}

/** State before any device is open. */
export const noSources: SourcesSnapshot = {
  source: null,
  previewStream: null,
  isMirrored: false,
  cameraId: null,
  cameras: [],
  microphones: [],
  hasMicrophone: false,
  hasScreenAudio: false,
  microphone: defaultMicrophone,
  isVideoOff: false,
  isAudioOff: false,
  captureProblem: null,
};
