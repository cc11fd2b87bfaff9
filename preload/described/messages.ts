import { ToPage } from '../contract.ts';
import { shapeOf } from './shape-of.ts';

/** The shape of the messages to a page. */
export const toPage = shapeOf(ToPage);
