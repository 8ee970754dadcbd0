/** A part of a video that has a name; it lasts until the next one begins. */
export interface Chapter {
  /** Seconds from the beginning of the video. */
  readonly start: number;
  readonly title: string;
}

export const chapterLimits = { count: 200, titleLength: 200 } as const;

/** The chapter at this time; null before the first one. */
export function chapterAt(chapters: readonly Chapter[], seconds: number): Chapter | null {
  return chapters.findLast(({ start }) => start <= seconds) ?? null;
}

/** Index of the first chapter that does not begin after the one before it; -1 where all do. */
export const misplacedChapter = (chapters: readonly Chapter[]): number =>
  chapters.findIndex(({ start }, index) => index > 0 && start <= (chapters[index - 1]?.start ?? 0));
