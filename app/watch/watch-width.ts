/**
 * Classes for the width of the player (16:9): that of the window, unless the title below it, with 9 rem, would need
 * scrolling. A phone in landscape shows only the player.
 */
export const watchWidth =
  'w-full max-w-[min(80rem,calc((100dvh-9rem)*16/9))] max-sm:max-w-none [@media(max-height:30rem)]:max-w-[calc(100dvh*16/9)]';

/** Classes for the width of the page with a column beside the player, which adds 27 rem with its gap and padding. */
export const watchWidthWithAside =
  'w-full max-w-[min(102rem,calc((100dvh-9rem)*16/9+27rem))] max-sm:max-w-none [@media(max-height:30rem)]:max-w-[calc(100dvh*16/9)]';
