import { ToPage } from '../contract.ts';
import { shapeOf } from './shape-of.ts';

/** What arrives at a page. */
export const toPage = shapeOf(ToPage);
