import { Remembered } from './remembered';

/**
 * Which node holds a stream, asked of the database at most once a second a stream, whatever the number of viewers. When a
 * stream ends while the database is away, the live node itself answers 404.
 */
export class NodeFinder extends Remembered<string> {}
