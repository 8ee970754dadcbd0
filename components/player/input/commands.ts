import type { Captions } from '../video/caption-tracks';
import {
  seekBy,
  seekTo,
  seekToShare,
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
  stage: HTMLElement;
  control: PlaybackControl;
  captions: Captions;
  /** Undefined on pages without theater mode. */
  toggleTheater: (() => void) | undefined;
  showHelp: () => void;
}

/** Executes the command of a key. */
export function perform(command: PlayerCommand, targets: CommandTargets): void {
  const { video, stage, control, captions } = targets;
  switch (command.name) {
    case 'play':
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
      seek(command, video, control);
  }
}

type SeekCommand = Extract<PlayerCommand, { readonly name: 'start' | 'end' | 'seek' | 'seek-to' }>;

function seek(command: SeekCommand, video: HTMLVideoElement, control: PlaybackControl): void {
  switch (command.name) {
    case 'seek':
      seekBy(video, command.seconds);
      break;
    case 'seek-to':
      seekToShare(video, command.share);
      break;
    case 'start':
      seekToShare(video, 0);
      break;
    case 'end':
      if (Number.isFinite(video.duration)) seekTo(video, video.duration);
      else control.jumpToLive();
  }
}
