//! `#[derive(Request)]`: a request whose fields are checked and documented by what they must be. How it is used stands at
//! `hanok_base::request`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DeriveInput, Error, Field, Fields, GenericArgument, Ident, PathArguments, Result, Type,
    parse_macro_input,
};

/// What the fields of a request must be, said once at each of them.
#[proc_macro_derive(Request, attributes(field, request, serde))]
pub fn request(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// How a field may be sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// It must be there.
    Required,
    /// Left out it is the default of its type.
    Default,
    /// Left out, or null, it is none.
    Optional,
    /// Left out it stays as it was; null is refused.
    Change,
    /// Left out it stays as it was; null clears it.
    Clear,
}

/// A field as it is declared.
struct Declared {
    name: Ident,
    /// What it is called in a request.
    sent_as: String,
    mode: Mode,
    /// What it must be.
    constraint: TokenStream,
    /// Its description and what serde is told of it.
    attributes: Vec<Attribute>,
}

fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else { return Err(Error::new(input.span(), "a request is a struct")) };
    let Fields::Named(fields) = &data.fields else { return Err(Error::new(input.span(), "its fields have names")) };
    let fields = fields.named.iter().map(declared).collect::<Result<Vec<_>>>()?;
    let Options { is_query, target } = options(&input.attrs)?;
    let name = &input.ident;
    let kept = input.attrs.iter().filter(|attribute| is_kept(attribute));
    let describes = if is_query {
        quote!(#[derive(::hanok_base::schema::ToParameters)] #[salvo(parameters(default_parameter_in = Query))])
    } else {
        quote!(#[derive(::hanok_base::schema::ToSchema)])
    };
    let wire = fields.iter().map(|Declared { name, mode, constraint, attributes, .. }| {
        let (sent, may_be_left_out) = match mode {
            Mode::Required => (quote!(::hanok_base::Validated<#constraint>), false),
            Mode::Default | Mode::Optional => (quote!(Option<::hanok_base::Validated<#constraint>>), true),
            Mode::Change => (quote!(::hanok_base::patch::Patch<#constraint>), true),
            Mode::Clear => (quote!(::hanok_base::patch::NullablePatch<#constraint>), true),
        };
        let default = may_be_left_out.then(|| quote!(#[serde(default)]));
        quote!(#(#attributes)* #default pub #name: #sent)
    });
    let reads = fields.iter().map(|Declared { name, mode, sent_as, .. }| match mode {
        Mode::Required => quote!(let #name = check.find(#sent_as, wire.#name);),
        Mode::Default | Mode::Optional => quote! {
            let #name = match wire.#name {
                Some(sent) => check.find(#sent_as, sent).map(Some),
                None => Some(None),
            };
        },
        Mode::Change => quote! {
            let #name = match wire.#name.into_sent() {
                Some(sent) => check.find(#sent_as, sent).map(Some),
                None => Some(None),
            };
        },
        Mode::Clear => quote! {
            let #name = match wire.#name.into_sent() {
                Some(Some(sent)) => check.find(#sent_as, sent).map(|value| Some(Some(value))),
                Some(None) => Some(Some(None)),
                None => Some(None),
            };
        },
    });
    let values = fields.iter().map(|Declared { name, mode, .. }| match mode {
        Mode::Required => quote!(#name: ::hanok_base::request::fit(#name?)),
        Mode::Default => quote!(#name: #name?.map(::hanok_base::request::fit).unwrap_or_default()),
        Mode::Optional | Mode::Change => quote!(#name: #name?.map(::hanok_base::request::fit)),
        Mode::Clear => quote!(#name: #name?.map(|value| value.map(::hanok_base::request::fit))),
    });
    let apply = target.map(|target| {
        let changed = fields.iter().filter_map(|Declared { name, mode, .. }| match mode {
            Mode::Change => Some(quote!(if let Some(value) = self.#name { target.#name = value; })),
            Mode::Clear => Some(quote! {
                if let Some(value) = self.#name { ::hanok_base::request::Cleared::put(value, &mut target.#name); }
            }),
            _ => None,
        });
        quote! {
            impl self::#name {
                /// Puts what was sent into `target`; everything else stays.
                pub fn apply_to(self, target: &mut #target) {
                    #(#changed)*
                }
            }
        }
    });
    let wire_name = format_ident!("{name}");
    Ok(quote! {
        const _: () = {
            #[derive(Debug, ::serde::Deserialize)]
            #describes
            #(#kept)*
            pub struct #wire_name { #(#wire,)* }

            impl ::hanok_base::request::Request for self::#name {
                type Wire = #wire_name;

                fn check(wire: #wire_name) -> ::hanok_base::Result<Self> {
                    let read = ::hanok_base::error::Check::of(|check| {
                        #(#reads)*
                        (move || Some(self::#name { #(#values,)* }))()
                    })?;
                    read.ok_or_else(|| ::hanok_base::Error::internal("a refused field was not named"))
                }
            }
            #apply
        };
    })
}

/// What is said of the whole request by `#[request(…)]`.
#[derive(Default)]
struct Options {
    /// It stands in the address and not in the body.
    is_query: bool,
    /// What it changes.
    target: Option<Type>,
}

fn options(attributes: &[Attribute]) -> Result<Options> {
    let mut options = Options::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("request")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("query") {
                options.is_query = true;
            } else if meta.path.is_ident("changes") {
                options.target = Some(meta.value()?.parse()?);
            } else {
                return Err(meta.error("`query` or `changes = Type`"));
            }
            Ok(())
        })?;
    }
    Ok(options)
}

/// Descriptions, and what serde is told, hold for what is read as well.
fn is_kept(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc") || attribute.path().is_ident("serde")
}

fn declared(field: &Field) -> Result<Declared> {
    let name = field.ident.clone().ok_or_else(|| Error::new(field.span(), "a field has a name"))?;
    let said = field.attrs.iter().find(|attribute| attribute.path().is_ident("field"));
    let (constraint, word) = match said {
        Some(said) => said.parse_args_with(|input: syn::parse::ParseStream<'_>| {
            let constraint: Type = input.parse()?;
            let word = match input.parse::<Option<syn::Token![,]>>()? {
                Some(_) => Some(if input.parse::<Option<syn::Token![default]>>()?.is_some() {
                    "default".to_owned()
                } else {
                    input.parse::<Ident>()?.to_string()
                }),
                None => None,
            };
            Ok((Some(constraint), word))
        })?,
        None => (None, None),
    };
    let inner = inside_option(&field.ty);
    let mode = match (word.as_deref(), inner.is_some()) {
        (None, false) => Mode::Required,
        (None, true) => Mode::Optional,
        (Some("default"), _) => Mode::Default,
        (Some("change"), true) => Mode::Change,
        (Some("clear"), true) => Mode::Clear,
        _ => return Err(Error::new(field.span(), "`default`, or `change` and `clear` of an `Option`")),
    };
    let plain = match mode {
        Mode::Required | Mode::Default => &field.ty,
        Mode::Optional | Mode::Change => inner.unwrap_or(&field.ty),
        Mode::Clear => inner.and_then(inside_option).unwrap_or(&field.ty),
    };
    let constraint = match constraint {
        Some(constraint) => quote!(#constraint),
        None => quote!(::hanok_base::validated::Unchecked<#plain>),
    };
    let attributes = field.attrs.iter().filter(|attribute| is_kept(attribute)).cloned().collect();
    let sent_as = renamed(&field.attrs)?.unwrap_or_else(|| name.to_string().trim_start_matches("r#").to_owned());
    Ok(Declared { name, sent_as, mode, constraint, attributes })
}

/// The name that serde is told for a field.
fn renamed(attributes: &[Attribute]) -> Result<Option<String>> {
    let mut name = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        attribute.parse_nested_meta(|meta| {
            if let Ok(value) = meta.value() {
                let text: syn::LitStr = value.parse()?;
                if meta.path.is_ident("rename") {
                    name = Some(text.value());
                }
            }
            Ok(())
        })?;
    }
    Ok(name)
}

/// `T` of an `Option<T>`.
fn inside_option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    })
}
