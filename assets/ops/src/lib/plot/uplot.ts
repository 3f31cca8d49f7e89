/** The library that draws the large charts, with its styles: a file of its own, which comes with the first of them (`Plot.svelte`). */

import 'uplot/dist/uPlot.min.css';

export { default } from 'uplot';
