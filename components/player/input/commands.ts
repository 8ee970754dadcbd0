import type { Captions } from '../video/caption-tracks';
import {
  seekBy,
  seekTo,
  seekToFraction,
  stepVolume,
  toggleFullscreen,
  toggleMute,
  togglePictureInPicture,
  togglePlay,
} from '../video/media-actions';
import type { PlaybackControl } from '../engine/playback-hooks';
import type { PlayerCommand } from './shortcuts';
import { nextSpeed } from '../video/speeds';
import { timelineOf } from '../video/timeline';

/** Objects that commands act on. */
export interface CommandTargets {
  video: HTMLVideoElement;
  /** Root element of the player. */
  stage: HTMLElement;
  control: PlaybackControl;
  captions: Captions;
  /** Undefined on pages without theater mode. */
  toggleTheater: (() => void) | undefined;
  showHelp: () => void;
}

/** Runs the command of a keyboard shortcut. */
export function runCommand(command: PlayerCommand, targets: CommandTargets): void {
  const { video, stage, control, captions } = targets;
  switch (command.name) {
    case 'toggle-play':
      togglePlay(video);
      break;
    case 'mute':
      toggleMute(video);
      break;
    case 'captions':
      captions.toggle();
      break;
    case 'fullscreen':
      void toggleFullscreen(stage, video);
      break;
    case 'theater':
      targets.toggleTheater?.();
      break;
    case 'picture-in-picture':
      void togglePictureInPicture(video);
      break;
    case 'help':
      targets.showHelp();
      break;
    case 'volume':
      stepVolume(video, command.direction);
      break;
    case 'speed':
      if (timelineOf(video)) control.setSpeed(nextSpeed(video.playbackRate, command.direction));
      break;
    default:
      runSeekCommand(command, video, control);
  }
}

type SeekCommand = Extract<
  PlayerCommand,
  { readonly name: 'seek-to-start' | 'seek-to-end' | 'seek' | 'seek-to' }
>;

function runSeekCommand(command: SeekCommand, video: HTMLVideoElement, control: PlaybackControl): void {
  switch (command.name) {
    case 'seek':
      seekBy(video, command.offsetSeconds);
      break;
    case 'seek-to':
      seekToFraction(video, command.fraction);
      break;
    case 'seek-to-start':
      seekToFraction(video, 0);
      break;
    case 'seek-to-end':
      // The duration of a live stream is Infinity.
      if (Number.isFinite(video.duration)) seekTo(video, video.duration);
      else control.jumpToLive();
  }
}
