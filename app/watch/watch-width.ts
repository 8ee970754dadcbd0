/** As wide as the window, but never so that the name below has to be scrolled to. */
export const watchWidth = 'w-full max-w-[min(80rem,calc((100dvh-7.5rem)*16/9))]';
