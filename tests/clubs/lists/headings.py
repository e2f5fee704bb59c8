"""The headings of real exports of ticket offices, clubs and federations, each with what must be read."""

HEADINGS = [
    (
        "Numéro Commande;Date Commande;Nom Payeur;Prénom Payeur;Email Payeur;Nom Adhérent;Prénom Adhérent;"
        "Email Adhérent;Téléphone;Date Naissance;Adresse;Code Postal;Ville;Contact Urgence;Discipline;Niveau;"
        "Titre Cours;Horaires;Commune;Salle;Professeur;Tarif;Montant Payé;Moyen Paiement;Statut;QS-Sport;Signature;"
        "Saison;Organisme;RNA;Date Export",
        {"last": "Nom Adhérent", "first": "Prénom Adhérent"},
    ),
    (
        "Référence commande;Date de la commande;Statut de la commande;Nom adhérent;Prénom adhérent;Email payeur",
        {"last": "Nom adhérent", "first": "Prénom adhérent"},
    ),
    (
        "Licence,Club,Prénom,Nom,Classement_Libre,Classement_Cadre,Classement_Bande,Classement_3Bandes,Actif",
        {"last": "Nom", "first": "Prénom", "licence": "Licence", "origin": "Club"},
    ),
    (
        "Classement,Licence,Joueur,Nb_Matchs,Points_Match,Moyenne",
        {"name": "Joueur", "licence": "Licence"},
    ),
    (
        "Code adhérent;Nom adhérent;Prénom adhérent;Nombre participant;Montant activité;A régler",
        {"last": "Nom adhérent", "first": "Prénom adhérent"},
    ),
    (
        "Sexe;Nom;Prénom;Séances dirigées;Type;Téléphone;Email;Joué;Voix enfant;Chant;Catégorie",
        {"last": "Nom", "first": "Prénom", "ladies": "Sexe"},
    ),
    (
        "INSCRIPTION;NOM;PRENOM;ADRESSE EMAIL",
        {"last": "NOM", "first": "PRENOM"},
    ),
    (
        "Adherent;Nom participant;Prenom participant;Fonction participant;Présence",
        {"last": "Nom participant", "first": "Prenom participant"},
    ),
    (
        "Numéro de commande;Date commande;Tarif;Prénom participant;Nom participant;Montant",
        {"last": "Nom participant", "first": "Prénom participant"},
    ),
    (
        "ID;Nom Adhérent;Prénom Adhérent;Naissance;Sexe;Licence;Adresse;Code postal",
        {"last": "Nom Adhérent", "first": "Prénom Adhérent", "licence": "Licence"},
    ),
    (
        "Licence;Nom;Prénom;Classement",
        {"last": "Nom", "first": "Prénom", "licence": "Licence"},
    ),
    (
        "num_licence;nom;prenom;sexe;date_naissance;club_nom;club_code;cd_nom;cd_code;cr_nom;cr_code",
        {"last": "nom", "first": "prenom", "licence": "num_licence", "origin": "club_nom"},
    ),
    (
        "Licence;Nom;Prénom;Sexe;Date de naissance;Email;Téléphone;Statut;Type;Saison;Nom du contact 1;"
        "Email du contact 1;Tél. du contact 1;Montant;Montant reçu;Montant restant;Payé",
        {"last": "Nom", "first": "Prénom", "licence": "Licence"},
    ),
    (
        "Numero Concours;Numero Epreuve;Numero Depart;Epreuve;Discipline;Licence;Nom;Prenom;Club;Sire;Cheval",
        {"last": "Nom", "first": "Prenom", "licence": "Licence", "origin": "Club"},
    ),
    (
        "licence;nom;prenom;club;cat_libre;cat_cadre;cat_bande;cat_3bandes",
        {"last": "nom", "first": "prenom", "licence": "licence", "origin": "club"},
    ),
    (
        "Licence;Nom;Prénom;Validité",
        {"last": "Nom", "first": "Prénom", "licence": "Licence"},
    ),
    (
        "numero_licence;nom;prenom;date_naissance;email;telephone;portable;numero_club;club_nom;cotis;saison",
        {"last": "nom", "first": "prenom", "licence": "numero_licence", "origin": "club_nom"},
    ),
    (
        "Licence;Nom;DATE NAISSANCE;CH;CD;LFM;CONF;SA;Statut;Date 1ere affiliation;Email;Tel;GSM;Adresse;Numéro;CP;"
        "Localité",
        {"last": "Nom", "licence": "Licence"},
    ),
    (
        "Numéro de licence;sexe;nom;prénom;nom club;num club;renouvellement;annuler;type licence;categorie;"
        "international;race nordique;cnil;date medical;date validation;année de la licence;date anniversaire;adresse;"
        "lieu-dit;cp;ville;pays;tel;gsm;email",
        {
            "last": "nom",
            "first": "prénom",
            "licence": "Numéro de licence",
            "origin": "nom club",
            "category": "categorie",
        },
    ),
    (
        "Numéro de licence;sexe;nom & prénom;nom club;num club;renouvellement;annuler;type licence;categorie",
        {"name": "nom & prénom", "licence": "Numéro de licence", "origin": "nom club"},
    ),
    (
        "fullName;birthday;fileNumber;classNumber;gender;extraInfo",
        {"name": "fullName"},
    ),
    (
        "Nom Complet;Anniversaire;Numéro de Fiche;Numéro de Classe;Sexe",
        {"name": "Nom Complet"},
    ),
    (
        "Numéro de billet;Référence commande;Date de la commande;Statut de la commande;Nom participant;"
        "Prénom participant;Nom payeur;Prénom payeur;Email payeur;Raison sociale;Moyen de paiement;Billet;Tarif;"
        "Montant tarif;N° de téléphone;Date de naissance",
        {"last": "Nom participant", "first": "Prénom participant"},
    ),
    (
        "Adresse courriel;Nom;Prénom;Société / pseudo;Téléphone;Nbre TABLES ?;Email payeur",
        {"last": "Nom", "first": "Prénom"},
    ),
    (
        "Email;Nom adhérent;Prénom adhérent;Type contact;Id dossier",
        {"last": "Nom adhérent", "first": "Prénom adhérent"},
    ),
    (
        "ID du Contact;Civilité;Nom;Prénom;Nom d'usage;Date de naissance;Email;Téléphone mobile;Adresse;Code postal;"
        "Ville;Pays;Statut;N° d'adhérent;Date d'adhésion",
        {"last": "Nom d'usage", "first": "Prénom", "licence": "N° d'adhérent", "status": "Statut"},
    ),
    (
        "Order #,Order Date,First Name,Last Name,Email,Quantity,Price Tier,Ticket Type,Attendee #,"
        "Group,Attendee Status",
        {"last": "Last Name", "first": "First Name", "status": "Attendee Status"},
    ),
    (
        "Code,Email,Order date,Status,Product,Attendee name: Given name,Attendee name: Family name,"
        "Invoice address name",
        {"last": "Attendee name: Family name", "first": "Attendee name: Given name"},
    ),
    (
        "NrFFE;Nom;Prenom;Sexe;NeLe;Cat;Federation;Elo;Rapide;Fide;Club;Ligue",
        {"last": "Nom", "first": "Prenom", "category": "Cat", "origin": "Club", "ladies": "Sexe"},
    ),
    (
        "Billet,Nom,Prénom,Email,Commande,Nom Acheteur,Prénom Acheteur,Email Acheteur,Date,Tarif,Prix,Payé,Validé",
        {"last": "Nom", "first": "Prénom"},
    ),
    (
        "Numéro licence,Nom,Prénom,Date naissance,Sexe,Email,Téléphone,Adresse,CP,Ville,Catégorie",
        {
            "last": "Nom",
            "first": "Prénom",
            "licence": "Numéro licence",
            "ladies": "Sexe",
            "category": "Catégorie",
        },
    ),
    (
        "Dossard;Nom;Prénom;Sexe;Date de Naissance;Nationalité;Email;Téléphone;Catégorie;Course;Prix Payé;Statut;"
        "Date Inscription;Numéro Licence;Club;Contact d'Urgence",
        {"last": "Nom", "first": "Prénom", "licence": "Numéro Licence", "status": "Statut", "origin": "Club"},
    ),
    (
        "Humain ou Animal,Grade,Statut,Civilité,Nom,Prénom,2ème Prénom,Nom naissance,Identifiant,Affectation,"
        "Entreprise,Droit d'accès,Date de naissance,Lieu de naissance,Nationalité,Email,Portable,Abrégé,Adresse,"
        "Code postal,Ville,Infos masquées,Licence,Numéro Licence,Date Licence,Expiration Licence,"
        "Personne à prévenir en cas d'urgence,Nom,Prénom,Téléphone,Email,Autres Informations,Actif / Ancien",
        {"last": "Nom", "first": "Prénom", "licence": "Numéro Licence"},
    ),
    (
        "Nom de famille;Nom marital;Prénom;Date de naissance;DN;Heures avant;Brut mensuel moyen;Heures à réaliser;DMO",
        {"last": "Nom marital", "first": "Prénom"},
    ),
    (
        "index;corbeille;fiche_numero_inscription;route_index;code_recherche;type;titre;nom_usage;nom_jeune_fille;"
        "prenom;j_nai_1;m_nai_1;a_nai_1;ville_naissance;dep_naissance;sexe;adresse_1;ville;cdpostal;courriel;telephone",
        {"last": "nom_usage", "first": "prenom", "ladies": "sexe"},
    ),
    (
        "MATRICULE;NOM_USAGE;PRENOM_USAGE;DAT_DER_ENTREE;DAT_SORTIE;COD_UF;LIB_UF;POSTE;SEXE;TELEPHONE;USER_NAME;MAIL",
        {"last": "NOM_USAGE", "first": "PRENOM_USAGE", "ladies": "SEXE"},
    ),
    (
        "id_client;civilite;nom;nom_usage;prenom;fonction;naissance;telephone;email;source;adresse;cp;ville",
        {"last": "nom_usage", "first": "prenom"},
    ),
    (
        "id,nachname,vorname,verein,geschlecht,jahrgang,altersklasse",
        {"last": "nachname", "first": "vorname", "origin": "verein"},
    ),
    (
        "Nachname;Vorname;Namenszusatz;Diesjähriger Geburtstag;Geburtsdatum;Aktuelles Alter",
        {"last": "Nachname", "first": "Vorname"},
    ),
    (
        "Matricola;Cognome;Nome;Email",
        {"last": "Cognome", "first": "Nome"},
    ),
    (
        "ID;NIF;APELLIDOS;NOMBRE;DIAS",
        {"last": "APELLIDOS", "first": "NOMBRE"},
    ),
    (
        "N° Dossier;Nom/prénom du bénéficiaire;Date de naissance du bénéficiaire;Type d'allocation;"
        "Montant de l'allocation;Date du mouvement comptable",
        {"name": "Nom/prénom du bénéficiaire"},
    ),
]
