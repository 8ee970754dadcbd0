/**
 * Width of the player: that of the window, unless the title would need scrolling. A phone in landscape shows only the
 * player.
 */
export const watchWidth =
  'w-full max-w-[min(80rem,calc((100dvh-9rem)*16/9))] max-sm:max-w-none [@media(max-height:30rem)]:max-w-[calc(100dvh*16/9)]';

/** Width of the page with a column beside the player. */
export const wideWidth =
  'w-full max-w-[min(102rem,calc((100dvh-9rem)*16/9+27rem))] max-sm:max-w-none [@media(max-height:30rem)]:max-w-[calc(100dvh*16/9)]';
