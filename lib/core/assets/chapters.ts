/** A named part of a video, which lasts until the next chapter. */
export interface Chapter {
  /** Seconds from the beginning of the video. */
  readonly start: number;
  readonly title: string;
}

/** Maximum number of chapters, and of characters in a title. */
export const chapterLimits = { count: 200, titleLength: 200 } as const;

/** The chapter at a time; null before the first chapter. */
export function findChapterAt(chapters: readonly Chapter[], seconds: number): Chapter | null {
  return chapters.findLast(({ start }) => start <= seconds) ?? null;
}

/** Index of the first chapter that does not start after the previous one; -1 if all are in order. */
export const misplacedChapterIndex = (chapters: readonly Chapter[]): number =>
  chapters.findIndex(({ start }, index) => index > 0 && start <= (chapters[index - 1]?.start ?? 0));
