/** As wide as the window, but never so that the title has to be scrolled to; a phone on its side shows the picture alone. */
export const watchWidth =
  'w-full max-w-[min(80rem,calc((100dvh-9rem)*16/9))] max-sm:max-w-none [@media(max-height:30rem)]:max-w-[calc(100dvh*16/9)]';

/** Width of the page with a column beside the video. */
export const wideWidth =
  'w-full max-w-[min(102rem,calc((100dvh-9rem)*16/9+27rem))] max-sm:max-w-none [@media(max-height:30rem)]:max-w-[calc(100dvh*16/9)]';
