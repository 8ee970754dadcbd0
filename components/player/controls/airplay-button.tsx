'use client';

import { Airplay } from 'lucide-react';
import { ControlButton } from './control-button';

type AirplayVideo = HTMLVideoElement & { webkitShowPlaybackTargetPicker?: () => void };

/** Opens WebKit's picker of AirPlay devices. */
export default function AirplayButton({ video }: { video: AirplayVideo }) {
  return (
    <ControlButton label="AirPlay" onClick={() => video.webkitShowPlaybackTargetPicker?.()}>
      <Airplay />
    </ControlButton>
  );
}
