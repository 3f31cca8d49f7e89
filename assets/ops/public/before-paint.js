// Runs before the first paint, so that a chosen theme never flashes and the page's language is right
// for screen readers from the start. A file of its own because the page forbids inline script.
(function () {
  try {
    var root = document.documentElement;
    var theme = localStorage.getItem('hanok.theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    var language = localStorage.getItem('hanok.language') || (/^ko\b/i.test(navigator.language) ? 'ko' : 'en');
    root.lang = language === 'en' ? 'en' : 'ko';
  } catch (blocked) {
    // Storage is switched off in this browser: the system's theme and Korean stay.
  }
})();
