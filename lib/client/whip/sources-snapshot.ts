import type { CaptureProblem } from '@/lib/core/streams/go-live/publisher-state';
import type { PictureSource } from '@/lib/core/streams/go-live/quality';
import { defaultMicrophone, type MediaDeviceLists, type MicrophoneChoice } from './media-devices';

/** What a page shows of the sources. */
export interface SourcesSnapshot extends MediaDeviceLists {
  /** What the picture is of; null: there is none. */
  readonly source: PictureSource | null;
  readonly preview: MediaStream | null;
  /** A camera that looks at the person is shown as a mirror does. It is sent as it is. */
  readonly isMirrored: boolean;
  readonly cameraId: string | null;
  readonly hasMicrophone: boolean;
  readonly hasScreenSound: boolean;
  readonly microphone: MicrophoneChoice;
  readonly isPictureOff: boolean;
  readonly isSoundOff: boolean;
  readonly captureProblem: CaptureProblem | null;
}

/** Before devices are opened. */
export const noSources: SourcesSnapshot = {
  ...{ source: null, preview: null, isMirrored: false, cameraId: null, cameras: [], microphones: [] },
  ...{ hasMicrophone: false, hasScreenSound: false, microphone: defaultMicrophone },
  ...{ isPictureOff: false, isSoundOff: false, captureProblem: null },
};
