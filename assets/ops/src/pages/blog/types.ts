/** The shapes of the blog. */

import type { Schemas } from '../../lib/schema';

export type Post = Schemas['blog.Post'];
export type ListedPost = Schemas['blog.ListedPost'];
export type Status = Schemas['blog.Status'];
export type WholeRevision = Schemas['blog.WholeRevision'];
/** What can be written of a post; an empty excerpt is the one that the text gives. */
export type Fields = Pick<Post, 'title' | 'tags' | 'body' | 'date' | 'excerpt' | 'status'>;
