//! Who looks at a page, and what stands in the navigation for them.

use salvo::Request;

use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::domain::Offers;
use hanok_platform::http::{Admin, Customer};

/// Who looks at a page: read once, from the session that came with the request. Below `/admin` only an admin's counts,
/// elsewhere only a customer's.
#[derive(Debug, Clone, Default)]
pub enum Visitor {
    /// It was not asked, or makes no difference: pages of errors, pages for everybody, the way to the desk.
    #[default]
    Unknown,
    /// Nobody is signed in.
    Nobody,
    /// A customer.
    Customer {
        /// The session.
        session: Customer,
        /// What the customer is called; a mail address where no name is known, and empty where that is not, either.
        name: String,
    },
    /// An admin, who has a name.
    Admin(Admin),
}

impl Visitor {
    /// Who sent `req`; `at_desk` where it asks for a page of the desk.
    ///
    /// # Errors
    /// Those of reading.
    pub async fn of(app: &App, offers: &Offers, req: &Request, at_desk: bool) -> Result<Visitor> {
        if at_desk {
            return Ok(Admin::find(app, req).await?.map_or(Visitor::Unknown, Visitor::Admin));
        }
        let Some(session) = Customer::find(app, req).await? else { return Ok(Visitor::Nobody) };
        let (named, id) = (offers.customer_name, session.id.clone());
        let name = app.data.store.read_inline(move |tx| named.map_or(Ok(String::new()), |named| named(tx, &id)));
        Ok(Visitor::Customer { name: name.await?, session })
    }

    /// What who is signed in is called; empty where nobody is.
    pub fn name(&self) -> &str {
        match self {
            Visitor::Customer { name, .. } => name,
            Visitor::Admin(admin) => &admin.name,
            Visitor::Unknown | Visitor::Nobody => "",
        }
    }
}

/// A link of the navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NavLink {
    /// The address of the page, in the language of the page that it stands on.
    pub href: String,
    /// What it is called.
    pub name: &'static str,
    /// Whether it is the page that is shown, or one below it.
    pub is_here: bool,
}
