'use client';

import { useEffect, useEffectEvent } from 'react';
import type { Captions } from './captions';
import {
  seekBy,
  seekTo,
  seekToShare,
  stepVolume,
  toggleFullscreen,
  toggleMute,
  togglePictureInPicture,
  togglePlay,
} from './media-actions';
import type { PlaybackControl } from './playback-hooks';
import { commandOf, nextSpeed, type PlayerCommand } from './shortcuts';
import { timelineOf } from './timeline';

/** What commands act on. */
interface CommandTargets {
  video: HTMLVideoElement;
  stage: HTMLElement;
  control: PlaybackControl;
  captions: Captions;
  /** Absent where the page has no theater mode. */
  toggleTheater: (() => void) | undefined;
  showHelp: () => void;
}

/** Does what a key asks for. */
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

/** A focused button keeps its space bar, a slider its own keys, a menu, a dialog and a text field all of them. */
function belongsToControl(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('input[type="range"]')) return /^(?:Arrow|Home|End|Page)/.test(event.key);
  if (target.closest('[role="menu"], [role="dialog"], select, input, textarea, [contenteditable]'))
    return true;
  return event.key === ' ' && target.closest('button, a, [role="button"]') !== null;
}

/** The keys of the player; on the whole page when the player is the main thing on it. */
export function usePlayerKeys(
  stage: HTMLElement | null,
  wholePage: boolean,
  onCommand: (command: PlayerCommand) => void,
): void {
  const handle = useEffectEvent((event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey || belongsToControl(event)) return;
    const command = commandOf(event.key);
    if (!command) return;
    event.preventDefault();
    onCommand(command);
  });
  useEffect(() => {
    if (!stage) return;
    const root: EventTarget = wholePage ? document : stage;
    const onKey = (event: Event) => handle(event);
    root.addEventListener('keydown', onKey);
    return () => root.removeEventListener('keydown', onKey);
  }, [stage, wholePage]);
}
