// The first page of the site, written from a template for each visitor, as PocketBase's manual advises.
routerAdd('GET', '/home', (e) => {
  const shop = require(`${__hooks}/shop.js`);
  const view = (name) => `${__hooks}/views/${name}.html`;
  const page = { shop, path: '/', origin: $app.settings().meta.appURL, theme: '' };
  return e.html(200, $template.loadFiles(view('frame'), view('home')).render(page));
});
