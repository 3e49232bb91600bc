"""The bilingual lexicon: readable tables, and the code that parses them.

Every English word sense has exactly one German translation.  The tables are
plain text, one entry a line, columns separated by semicolons:

nouns        English singular [plural] ; German article, singular,
             genitive ending (not for feminines), plural
             A plural of "-" marks a mass noun (bread, milk).  The genitive
             endings -n and -en mark the weak n-declension (der Bauer, den
             Bauern, dem Bauern, des Bauern).
verbs        English base [past participle] ; German infinitive
             [er-present er-past participle] [sein] ; object groups
             A German verb with only its infinitive is weak (regular).  The
             bar in an|rufen marks a separable prefix; "sein" the perfect
             auxiliary; "sich" a reflexive verb.
adjectives   English, then "er" (small, smaller) or "more" (more useful) or
             "-" (not compared) ; German [comparative superlative] ; kinds
"""

from __future__ import annotations

from functools import lru_cache
from typing import Dict, List, NamedTuple, Optional

import english
import german


class Noun(NamedTuple):
    """A common noun with its English and German forms."""
    lemma: str              # English singular, the noun's name in this program
    plural: Optional[str]   # English plural, None for a mass noun
    gender: str             # "m", "f" or "n"
    de_sg: str              # German nominative singular
    de_ending: str          # German genitive singular ending
    de_pl: Optional[str]    # German nominative plural
    group: str              # semantic group, e.g. "person"

    @property
    def mass(self) -> bool:
        return self.plural is None


class Verb(NamedTuple):
    """A verb with its principal parts in both languages."""
    lemma: str
    particle: str           # "for" of "look for"; empty for most verbs
    past: str
    participle: str
    prefix: str             # separable German prefix, or empty
    infinitive: str         # German infinitive without the prefix
    present: str            # third person singular: (er) kauft
    preterite: str          # third person singular: (er) kaufte
    de_participle: str      # with prefix: angerufen
    auxiliary: str          # "haben" or "sein"
    reflexive: bool
    objects: str            # noun groups of the object
    extra: str              # frame-specific column (preposition, subject, ...)


class Adjective(NamedTuple):
    """An adjective with its degrees of comparison."""
    lemma: str
    compared: str           # "er", "more" or "-"
    base: str
    comparative: str
    superlative: str        # German stem: größt(e)
    kinds: str              # kinds of nouns it can describe


# ---------------------------------------------------------------------------
# Nouns
# ---------------------------------------------------------------------------

NOUN_TABLES = {
    "man": """
        man men ; der Mann -es Männer
        boy ; der Junge -n Jungen
        king ; der König -s Könige
        baker ; der Bäcker -s Bäcker
        farmer ; der Bauer -n Bauern
        student ; der Student -en Studenten
        lawyer ; der Anwalt -s Anwälte
        judge ; der Richter -s Richter
        driver ; der Fahrer -s Fahrer
        pilot ; der Pilot -en Piloten
        policeman policemen ; der Polizist -en Polizisten
        soldier ; der Soldat -en Soldaten
        painter ; der Maler -s Maler
        musician ; der Musiker -s Musiker
        singer ; der Sänger -s Sänger
        writer ; der Schriftsteller -s Schriftsteller
        journalist ; der Journalist -en Journalisten
        engineer ; der Ingenieur -s Ingenieure
        waiter ; der Kellner -s Kellner
        butcher ; der Metzger -s Metzger
        scientist ; der Wissenschaftler -s Wissenschaftler
        professor ; der Professor -s Professoren
        customer ; der Kunde -n Kunden
        guest ; der Gast -es Gäste
        tourist ; der Tourist -en Touristen
        thief thieves ; der Dieb -es Diebe
        prince ; der Prinz -en Prinzen
        actor ; der Schauspieler -s Schauspieler
        poet ; der Dichter -s Dichter
        architect ; der Architekt -en Architekten
        hunter ; der Jäger -s Jäger
        president ; der Präsident -en Präsidenten
        mayor ; der Bürgermeister -s Bürgermeister
        witness ; der Zeuge -n Zeugen
        player ; der Spieler -s Spieler
        pupil ; der Schüler -s Schüler
    """,
    "woman": """
        woman women ; die Frau Frauen
        queen ; die Königin Königinnen
        nurse ; die Krankenschwester Krankenschwestern
        actress ; die Schauspielerin Schauspielerinnen
        waitress ; die Kellnerin Kellnerinnen
        princess ; die Prinzessin Prinzessinnen
        lady ; die Dame Damen
    """,
    "kinsman": """
        father ; der Vater -s Väter
        son ; der Sohn -es Söhne
        brother ; der Bruder -s Brüder
        uncle ; der Onkel -s Onkel
        grandfather ; der Großvater -s Großväter
        friend ; der Freund -es Freunde
        neighbor ; der Nachbar -n Nachbarn
        colleague ; der Kollege -n Kollegen
        boss ; der Chef -s Chefs
        teacher ; der Lehrer -s Lehrer
        doctor ; der Arzt -es Ärzte
    """,
    "kinswoman": """
        mother ; die Mutter Mütter
        daughter ; die Tochter Töchter
        sister ; die Schwester Schwestern
        aunt ; die Tante Tanten
        grandmother ; die Großmutter Großmütter
        niece ; die Nichte Nichten
    """,
    "young": """
        child children ; das Kind -es Kinder
        girl ; das Mädchen -s Mädchen
    """,
    "animal": """
        dog ; der Hund -es Hunde
        cat ; die Katze Katzen
        horse ; das Pferd -es Pferde
        cow ; die Kuh Kühe
        pig ; das Schwein -s Schweine
        bird ; der Vogel -s Vögel
        mouse mice ; die Maus Mäuse
        rabbit ; das Kaninchen -s Kaninchen
        bear ; der Bär -en Bären
        lion ; der Löwe -n Löwen
        wolf wolves ; der Wolf -es Wölfe
        fox ; der Fuchs -es Füchse
        goat ; die Ziege Ziegen
        duck ; die Ente Enten
        elephant ; der Elefant -en Elefanten
        monkey ; der Affe -n Affen
        tiger ; der Tiger -s Tiger
        snake ; die Schlange Schlangen
        frog ; der Frosch -es Frösche
        owl ; die Eule Eulen
        parrot ; der Papagei -s Papageien
        lamb ; das Lamm -es Lämmer
    """,
    "food": """
        apple ; der Apfel -s Äpfel
        pear ; die Birne Birnen
        cake ; der Kuchen -s Kuchen
        egg ; das Ei -s Eier
        sausage ; die Wurst Würste
        potato potatoes ; die Kartoffel Kartoffeln
        tomato tomatoes ; die Tomate Tomaten
        banana ; die Banane Bananen
        cookie ; der Keks -es Kekse
        carrot ; die Karotte Karotten
        lemon ; die Zitrone Zitronen
        cherry ; die Kirsche Kirschen
        pizza ; die Pizza Pizzas
        mushroom ; der Pilz -es Pilze
        soup ; die Suppe Suppen
        salad ; der Salat -s Salate
        bread - ; das Brot -es -
        cheese - ; der Käse -s -
        butter - ; die Butter -
        rice - ; der Reis -es -
        meat - ; das Fleisch -es -
        honey - ; der Honig -s -
        chocolate - ; die Schokolade -
    """,
    "drink": """
        water - ; das Wasser -s -
        milk - ; die Milch -
        coffee - ; der Kaffee -s -
        tea - ; der Tee -s -
        beer - ; das Bier -es -
        wine - ; der Wein -s -
        juice - ; der Saft -es -
    """,
    "thing": """
        clock ; die Uhr Uhren
        key ; der Schlüssel -s Schlüssel
        knife knives ; das Messer -s Messer
        fork ; die Gabel Gabeln
        spoon ; der Löffel -s Löffel
        plate ; der Teller -s Teller
        cup ; die Tasse Tassen
        glass ; das Glas -es Gläser
        bottle ; die Flasche Flaschen
        pot ; der Topf -es Töpfe
        mirror ; der Spiegel -s Spiegel
        picture ; das Bild -es Bilder
        phone ; das Telefon -s Telefone
        camera ; die Kamera Kameras
        pencil ; der Bleistift -s Bleistifte
        umbrella ; der Regenschirm -s Regenschirme
        suitcase ; der Koffer -s Koffer
        bag ; die Tasche Taschen
        basket ; der Korb -es Körbe
        box ; die Kiste Kisten
        candle ; die Kerze Kerzen
        rope ; das Seil -s Seile
        ladder ; die Leiter Leitern
        towel ; das Handtuch -s Handtücher
        pillow ; das Kissen -s Kissen
        blanket ; die Decke Decken
        ring ; der Ring -es Ringe
        ball ; der Ball -es Bälle
        doll ; die Puppe Puppen
        gift ; das Geschenk -s Geschenke
        map ; die Landkarte Landkarten
        coin ; die Münze Münzen
        wallet ; die Brieftasche Brieftaschen
        package ; das Paket -s Pakete
        tent ; das Zelt -es Zelte
    """,
    "device": """
        lamp ; die Lampe Lampen
        computer ; der Computer -s Computer
        radio radios ; das Radio -s Radios
        television ; der Fernseher -s Fernseher
        machine ; die Maschine Maschinen
        oven ; der Ofen -s Öfen
        printer ; der Drucker -s Drucker
    """,
    "clothing": """
        hat ; der Hut -es Hüte
        coat ; der Mantel -s Mäntel
        shirt ; das Hemd -es Hemden
        dress ; das Kleid -es Kleider
        skirt ; der Rock -s Röcke
        jacket ; die Jacke Jacken
        shoe ; der Schuh -s Schuhe
        boot ; der Stiefel -s Stiefel
        glove ; der Handschuh -s Handschuhe
        scarf scarves ; der Schal -s Schals
        sweater ; der Pullover -s Pullover
        tie ; die Krawatte Krawatten
        belt ; der Gürtel -s Gürtel
        suit ; der Anzug -s Anzüge
    """,
    "furniture": """
        table ; der Tisch -es Tische
        chair ; der Stuhl -s Stühle
        sofa ; das Sofa -s Sofas
        bed ; das Bett -es Betten
        bench ; die Bank Bänke
        carpet ; der Teppich -s Teppiche
        desk ; der Schreibtisch -s Schreibtische
    """,
    "vehicle": """
        car ; das Auto -s Autos
        bicycle ; das Fahrrad -s Fahrräder
        bus ; der Bus -ses Busse
        train ; der Zug -es Züge
        ship ; das Schiff -es Schiffe
        boat ; das Boot -es Boote
        plane ; das Flugzeug -s Flugzeuge
        truck ; der Lastwagen -s Lastwagen
        taxi ; das Taxi -s Taxis
        tram ; die Straßenbahn Straßenbahnen
    """,
    "text": """
        book ; das Buch -es Bücher
        letter ; der Brief -es Briefe
        newspaper ; die Zeitung Zeitungen
        poem ; das Gedicht -s Gedichte
        story ; die Geschichte Geschichten
        report ; der Bericht -s Berichte
        article ; der Artikel -s Artikel
        novel ; der Roman -s Romane
        contract ; der Vertrag -s Verträge
        diary ; das Tagebuch -s Tagebücher
        list ; die Liste Listen
        recipe ; das Rezept -s Rezepte
        message ; die Nachricht Nachrichten
        bill ; die Rechnung Rechnungen
        song ; das Lied -es Lieder
    """,
    # Places one is "in": in the park, to the park = in den Park.
    "room": """
        kitchen ; die Küche Küchen
        room ; das Zimmer -s Zimmer
        cellar ; der Keller -s Keller
        bathroom ; das Badezimmer -s Badezimmer
        bedroom ; das Schlafzimmer -s Schlafzimmer
        garage ; die Garage Garagen
        garden ; der Garten -s Gärten
        office ; das Büro -s Büros
        house ; das Haus -es Häuser
        cabin ; die Hütte Hütten
        apartment ; die Wohnung Wohnungen
    """,
    "building": """
        school ; die Schule Schulen
        hotel ; das Hotel -s Hotels
        museum ; das Museum -s Museen
        restaurant ; das Restaurant -s Restaurants
        library ; die Bibliothek Bibliotheken
        hospital ; das Krankenhaus -es Krankenhäuser
        theater ; das Theater -s Theater
        church ; die Kirche Kirchen
        supermarket ; der Supermarkt -es Supermärkte
        factory ; die Fabrik Fabriken
        castle ; das Schloss -es Schlösser
        shop ; der Laden -s Läden
        bakery ; die Bäckerei Bäckereien
        stadium stadiums ; das Stadion -s Stadien
        prison ; das Gefängnis -ses Gefängnisse
    """,
    "area": """
        park ; der Park -s Parks
        village ; das Dorf -es Dörfer
        city ; die Stadt Städte
        forest ; der Wald -es Wälder
        cave ; die Höhle Höhlen
        desert ; die Wüste Wüsten
        zoo zoos ; der Zoo -s Zoos
    """,
    # Places one is "at": at the station = am Bahnhof, to = zu.
    "spot": """
        station ; der Bahnhof -s Bahnhöfe
        airport ; der Flughafen -s Flughäfen
        lake ; der See -s Seen
        river ; der Fluss -es Flüsse
        harbor ; der Hafen -s Häfen
        gate ; das Tor -es Tore
        fountain ; der Brunnen -s Brunnen
        border ; die Grenze Grenzen
        beach ; der Strand -es Strände
        university ; die Universität Universitäten
    """,
    # Places one is "on": on the bridge = auf der Brücke.
    "ground": """
        bridge ; die Brücke Brücken
        street ; die Straße Straßen
        island ; die Insel Inseln
        mountain ; der Berg -es Berge
        hill ; der Hügel -s Hügel
        meadow ; die Wiese Wiesen
        field ; das Feld -es Felder
        balcony ; der Balkon -s Balkone
        stage ; die Bühne Bühnen
    """,
    "part": """
        door ; die Tür Türen
        window ; das Fenster -s Fenster
        wall ; die Wand Wände
        roof ; das Dach -es Dächer
        tower ; der Turm -es Türme
    """,
    "idea": """
        idea ; die Idee Ideen
        plan ; der Plan -es Pläne
        problem ; das Problem -s Probleme
        question ; die Frage Fragen
        answer ; die Antwort Antworten
        solution ; die Lösung Lösungen
        decision ; die Entscheidung Entscheidungen
        mistake ; der Fehler -s Fehler
        reason ; der Grund -es Gründe
        law ; das Gesetz -es Gesetze
        rule ; die Regel Regeln
        secret ; das Geheimnis -ses Geheimnisse
        joke ; der Witz -es Witze
        offer ; das Angebot -s Angebote
        proposal ; der Vorschlag -s Vorschläge
        result ; das Ergebnis -ses Ergebnisse
        opinion ; die Meinung Meinungen
        task ; die Aufgabe Aufgaben
        project ; das Projekt -s Projekte
        experiment ; das Experiment -s Experimente
    """,
    "event": """
        concert ; das Konzert -s Konzerte
        meeting ; die Besprechung Besprechungen
        party ; die Feier Feiern
        wedding ; die Hochzeit Hochzeiten
        trip ; die Reise Reisen
        exam ; die Prüfung Prüfungen
        game ; das Spiel -s Spiele
        film ; der Film -s Filme
        festival ; das Fest -es Feste
        race ; das Rennen -s Rennen
        election ; die Wahl Wahlen
        conference ; die Konferenz Konferenzen
        competition ; der Wettbewerb -s Wettbewerbe
    """,
    "instrument": """
        piano pianos ; das Klavier -s Klaviere
        guitar ; die Gitarre Gitarren
        violin ; die Geige Geigen
        flute ; die Flöte Flöten
        drum ; die Trommel Trommeln
    """,
    "plant": """
        tree ; der Baum -es Bäume
        flower ; die Blume Blumen
        rose ; die Rose Rosen
        tulip ; die Tulpe Tulpen
    """,
}

# Larger groups, made of tables above or of single nouns (a noun's name).
GROUPS = {
    "person": "man woman kinsman kinswoman young",
    "kin": "kinsman kinswoman",
    "object": "thing device clothing furniture vehicle instrument",
    "portable": "thing clothing text",
    "inside": "room building area",
    "openable": "=door =window =gate =box =bag =suitcase =package =bottle",
    "lockable": "=door =window =gate =garage =car =suitcase =house =office",
    "breakable": "=glass =cup =plate =mirror =bottle =lamp =window =clock",
    "fillable": "=glass =cup =bottle =basket =box =pot =bag",
    "washable": "clothing vehicle =towel =blanket =plate =cup =glass =pot",
    "baked": "=cake =cookie =pizza =bread",
    "peelable": "=apple =pear =potato =egg =carrot =banana",
    "pickable": "=apple =pear =cherry =flower =rose =tulip",
    "paintable": "=wall =door =house =tree =mountain =flower =castle =boat =horse",
    "buildable": "=house =bridge =school =church =castle =hotel =hospital =factory "
                 "=ship =boat =machine =wall =tower =cabin =tent",
    "rentable": "=car =boat =house =apartment =room =bicycle =office =cabin =truck",
    "crossable": "=bridge =street =river =border =meadow =field =desert",
    "climbable": "=mountain =hill =tower =tree =ladder =roof =wall",
    "tidy": "=room =kitchen =cellar =bedroom =garage =office =apartment",
    "told": "=story =joke =secret",
    "explained": "=plan =problem =question =solution =decision =reason =law =rule "
                 "=result =task =mistake",
    "solved": "=problem =task",
    "signed": "=contract =letter =bill =list =report",
    "drivable": "=car =bus =truck =taxi =tram",
}

# Kind of noun group, used to find adjectives that go with a noun.
KIND = {
    "man": "person", "woman": "person", "kinsman": "person",
    "kinswoman": "person", "young": "person", "animal": "animal",
    "food": "food", "drink": "drink", "thing": "thing", "device": "thing",
    "clothing": "clothing", "furniture": "thing", "vehicle": "vehicle",
    "text": "text", "room": "place", "building": "place", "area": "place",
    "spot": "place", "ground": "place", "part": "thing", "idea": "idea",
    "event": "event", "instrument": "thing", "plant": "plant",
}

# ---------------------------------------------------------------------------
# Adjectives
# ---------------------------------------------------------------------------

ADJECTIVE_TABLE = """
    big er ; groß größer größt ; animal thing place vehicle plant
    small er ; klein ; animal thing place vehicle plant food
    old er ; alt älter ältest ; person animal thing place vehicle text clothing plant
    new er ; neu neuer neuest ; thing place vehicle text clothing idea
    young er ; jung jünger jüngst ; person animal
    beautiful more ; schön ; person animal place clothing plant thing event
    ugly er ; hässlich ; thing clothing place animal
    friendly er ; freundlich ; person
    tired more ; müde ; person animal
    happy er ; glücklich ; person
    sad er ; traurig ; person text
    rich er ; reich ; person
    poor er ; arm ärmer ärmst ; person
    clever er ; klug klüger klügst ; person animal idea
    strong er ; stark stärker stärkst ; person animal
    weak er ; schwach schwächer schwächst ; person animal
    sick er ; krank kränker kränkst ; person animal
    healthy er ; gesund gesünder gesündest ; person animal food
    famous more ; berühmt ; person place text
    polite more ; höflich ; person
    brave er ; mutig ; person
    lazy er ; faul ; person animal
    hungry er ; hungrig ; person animal
    thirsty er ; durstig ; person animal
    angry er ; wütend ; person
    nervous more ; nervös nervöser nervösest ; person
    proud er ; stolz ; person
    honest more ; ehrlich ; person
    lonely er ; einsam ; person
    curious more ; neugierig ; person animal
    patient more ; geduldig ; person
    shy er ; schüchtern ; person animal
    strict er ; streng ; person
    generous more ; großzügig ; person idea
    expensive more ; teuer ; thing vehicle clothing food drink
    cheap er ; billig ; thing vehicle clothing food drink
    heavy er ; schwer ; thing
    light er ; leicht ; thing clothing
    clean er ; sauber ; thing clothing place vehicle
    dirty er ; schmutzig ; thing clothing place vehicle
    red - ; rot ; thing vehicle clothing plant
    blue - ; blau ; thing vehicle clothing
    green - ; grün ; thing vehicle clothing
    yellow - ; gelb ; thing vehicle clothing plant
    black - ; schwarz ; thing vehicle clothing animal
    white - ; weiß ; thing vehicle clothing animal plant
    brown - ; braun ; thing clothing animal
    grey - ; grau ; thing clothing animal vehicle
    round - ; rund ; thing
    long er ; lang länger längst ; text clothing event
    short er ; kurz kürzer kürzest ; text clothing event
    soft er ; weich ; clothing
    warm er ; warm wärmer wärmst ; clothing drink place
    cold er ; kalt kälter kältest ; drink place food
    modern more ; modern ; thing vehicle place clothing
    useful more ; nützlich ; thing idea text
    valuable more ; wertvoll ; thing text
    strange er ; seltsam ; person animal thing text idea
    fast er ; schnell ; vehicle animal
    slow er ; langsam ; vehicle animal
    wild er ; wild ; animal
    dangerous more ; gefährlich ; animal place idea
    fresh er ; frisch frischer frischest ; food drink
    delicious more ; lecker ; food
    sweet er ; süß ; food drink
    sour er ; sauer ; food drink
    hot er ; heiß ; drink food
    quiet er ; ruhig ; place person
    dark er ; dunkel ; place
    safe er ; sicher ; place
    empty - ; leer ; place
    important more ; wichtig ; text idea event
    difficult more ; schwierig ; text idea event
    good - ; gut besser best ; text idea person
    bad - ; schlecht ; text idea
    interesting more ; interessant ; text idea event place
    boring more ; langweilig ; text event person
    funny er ; lustig ; text person event
    wrong - ; falsch ; idea
    simple er ; einfach ; idea text
    clear er ; klar ; idea
    unusual more ; ungewöhnlich ; idea event plant
"""

# ---------------------------------------------------------------------------
# Verbs, one table for each valency frame
# ---------------------------------------------------------------------------

# Subject: a person.  Object: accusative noun phrase of the groups named.
TRANSITIVE = """
    buy bought bought ; kaufen ; object food text
    sell sold sold ; verkaufen ; object food text building
    find found found ; finden findet fand gefunden ; portable
    lose lost lost ; verlieren verliert verlor verloren ; portable
    look for ; suchen ; portable person animal
    need ; brauchen ; object drink
    carry ; tragen trägt trug getragen ; thing
    steal stole stolen ; stehlen stiehlt stahl gestohlen ; thing clothing vehicle
    repair ; reparieren ; device vehicle instrument
    clean ; putzen ; room thing
    wash ; waschen wäscht wusch gewaschen ; washable
    build built built ; bauen ; buildable
    visit ; besuchen ; person building area
    meet met met ; treffen trifft traf getroffen ; person
    invite ; ein|laden lädt lud eingeladen ; person
    call ; an|rufen ruft rief angerufen ; person
    know knew known ; kennen kennt kannte gekannt ; person text
    love ; lieben ; person animal instrument event
    hate ; hassen ; person event
    like ; mögen mag mochte gemocht ; person animal food clothing
    admire ; bewundern ; person building
    greet ; begrüßen ; person
    see saw seen ; sehen sieht sah gesehen ; person animal vehicle building
    photograph ; fotografieren ; person animal building plant
    eat ate eaten ; essen isst aß gegessen ; food
    drink drank drunk ; trinken trinkt trank getrunken ; drink
    cook ; kochen ; =soup =rice =meat =potato =egg =carrot
    bake ; backen backt backte gebacken ; baked
    taste ; probieren ; food drink
    order ; bestellen ; food drink text
    prepare ; vor|bereiten bereitet bereitete vorbereitet ; event
    write wrote written ; schreiben schreibt schrieb geschrieben ; text
    translate ; übersetzen übersetzt übersetzte übersetzt ; text
    sign ; unterschreiben unterschreibt unterschrieb unterschrieben ; signed
    forget forgot forgotten ; vergessen vergisst vergaß vergessen ; portable event
    understand understood understood ; verstehen versteht verstand verstanden ; idea text
    discuss ; besprechen bespricht besprach besprochen ; idea text
    solve ; lösen ; solved
    accept ; an|nehmen nimmt nahm angenommen ; =offer =proposal =plan =decision =gift =result
    reject ; ab|lehnen ; =offer =proposal =plan =idea =project
    plan planned planned ; planen ; event =project =experiment
    organize ; organisieren ; event
    change ; ändern ; =plan =law =rule =opinion =decision text
    publish ; veröffentlichen ; text
    discover ; entdecken ; =cave =island =mistake =secret =solution
    describe ; beschreiben beschreibt beschrieb beschrieben ; person idea building
    hear heard heard ; hören ; =song =story =joke =concert =question =answer
    play ; spielen ; instrument
    sing sang sung ; singen singt sang gesungen ; =song
    wear wore worn ; tragen trägt trug getragen ; clothing
    take off took taken ; aus|ziehen zieht zog ausgezogen ; clothing
    try on tried tried ; an|probieren probiert probierte anprobiert ; clothing
    turn on ; ein|schalten ; device
    turn off ; aus|schalten ; device
    pick up ; ab|holen ; person =package
    open ; öffnen ; openable
    close ; schließen schließt schloss geschlossen ; openable
    lock ; ab|schließen schließt schloss abgeschlossen ; lockable
    park ; parken ; drivable
    rent ; mieten ; rentable
    throw away threw thrown ; weg|werfen wirft warf weggeworfen ; thing clothing food
    tidy up ; auf|räumen ; tidy
    hide hid hidden ; verstecken ; portable
    break broke broken ; zerbrechen zerbricht zerbrach zerbrochen ; breakable
    feed fed fed ; füttern ; animal
    catch caught caught ; fangen fängt fing gefangen ; animal
    save ; retten ; person animal
    count ; zählen ; =coin =bottle =guest =ship =tree =chair
    collect ; sammeln ; =coin =picture =book =clock =doll
    pack ; packen ; =suitcase =bag =box =gift =basket
    decorate ; schmücken ; room =table =church =stage =tree
    fill ; füllen ; fillable
    criticize ; kritisieren ; person idea
    praise ; loben ; person idea
    punish ; bestrafen ; person
    interrupt ; unterbrechen unterbricht unterbrach unterbrochen ; event
    check ; überprüfen ; idea text
    pull ; ziehen zieht zog gezogen ; =rope =boat =ladder =bag =horse
    plant ; pflanzen ; plant
    pick ; pflücken ; pickable
    peel ; schälen ; peelable
    examine ; untersuchen ; animal =child =machine =problem =letter =student
    draw drew drawn ; zeichnen ; paintable
    paint ; malen ; paintable
    miss ; verpassen ; =bus =train =plane =tram event
    reach ; erreichen ; building area spot
    leave left left ; verlassen verlässt verließ verlassen ; building room area
    cross ; überqueren ; crossable
    climb ; besteigen besteigt bestieg bestiegen ; climbable
    watch ; beobachten ; person animal
    present ; vor|stellen ; =project =plan =result =idea =report =novel =proposal
    borrow ; aus|leihen leiht lieh ausgeliehen ; text thing
    return ; zurück|geben gibt gab zurückgegeben ; text thing
    burn ; verbrennen verbrennt verbrannte verbrannt ; text
    marry ; heiraten ; person
    protect ; beschützen ; person animal
    guard ; bewachen ; building =gate
"""

# Subject: a person or an animal.
INTRANSITIVE = """
    sleep slept slept ; schlafen schläft schlief geschlafen ; ; person animal
    work ; arbeiten ; ; person
    laugh ; lachen ; ; person
    cry ; weinen ; ; person
    dance ; tanzen ; ; person
    swim swam swum ; schwimmen schwimmt schwamm geschwommen sein ; ; person animal
    sit sat sat ; sitzen sitzt saß gesessen ; ; person animal
    stand stood stood ; stehen steht stand gestanden ; ; person animal
    stay ; bleiben bleibt blieb geblieben sein ; ; person animal
    arrive ; an|kommen kommt kam angekommen sein ; ; person vehicle
    fall asleep fell fallen ; ein|schlafen schläft schlief eingeschlafen sein ; ; person animal
    wake up woke woken ; auf|wachen wacht wachte aufgewacht sein ; ; person animal
    get up got gotten ; auf|stehen steht stand aufgestanden sein ; ; person
    disappear ; verschwinden verschwindet verschwand verschwunden sein ; ; person animal vehicle
    rest ; aus|ruhen sich ; ; person animal
    wait ; warten ; ; person animal
    whisper ; flüstern ; ; person
    pray ; beten betet betete gebetet ; ; person
    live ; wohnen ; ; person
    stop stopped stopped ; an|halten hält hielt angehalten ; ; vehicle
    function ; funktionieren ; ; device
    grow grew grown ; wachsen wächst wuchs gewachsen sein ; ; plant
"""

# Subject: a person.  Object in the dative.
DATIVE = """
    help ; helfen hilft half geholfen ; person
    thank ; danken ; person
    trust ; vertrauen ; person
    follow ; folgen folgt folgte gefolgt sein ; person animal
    answer ; antworten ; person
    congratulate ; gratulieren ; person
    forgive forgave forgiven ; verzeihen verzeiht verzieh verziehen ; person
    obey ; gehorchen ; person
    listen to ; zu|hören ; person
    contradict ; widersprechen widerspricht widersprach widersprochen ; person
"""

# Last column: English preposition, German preposition, German case.
PREPOSITIONAL = """
    wait ; warten ; person vehicle text ; for auf acc
    think thought thought ; denken denkt dachte gedacht ; person event ; of an acc
    talk ; sprechen spricht sprach gesprochen ; person ; to mit dat
    laugh ; lachen ; person idea text ; about über acc
    dream dreamed dreamed ; träumen ; event building animal ; of von dat
    ask ; bitten bittet bat gebeten ; drink food text ; for um acc
    believe ; glauben ; idea ; in an acc
    take part took taken ; teil|nehmen nimmt nahm teilgenommen ; event ; in an dat
    remember ; erinnern sich ; person event text ; - an acc
    look forward ; freuen sich ; event text ; to auf acc
    complain ; beschweren sich ; person event food ; about über acc
    care ; kümmern sich ; person animal plant ; for um acc
    fight fought fought ; kämpfen ; idea person animal ; against gegen acc
    fear ; fürchten sich ; animal person event ; - vor dat
    apologize ; entschuldigen sich ; idea ; for für acc
    play ; spielen ; animal person thing ; with mit dat
    prepare ; vor|bereiten bereitet bereitete vorbereitet sich ; event ; for auf acc
    flee fled fled ; fliehen flieht floh geflohen sein ; animal person ; from vor dat
"""

# Last column: "double" = give the man a book, "to" = explain the book to the man.
DITRANSITIVE = """
    give gave given ; geben gibt gab gegeben ; portable instrument ; double
    show showed shown ; zeigen ; object text building ; double
    send sent sent ; schicken ; text thing ; double
    lend lent lent ; leihen leiht lieh geliehen ; portable vehicle instrument ; double
    bring brought brought ; bringen bringt brachte gebracht ; portable food drink ; double
    tell told told ; erzählen ; told ; double
    offer ; an|bieten bietet bot angeboten ; food drink thing ; double
    explain ; erklären ; explained ; to
    recommend ; empfehlen empfiehlt empfahl empfohlen ; text food building event ; to
    describe ; beschreiben beschreibt beschrieb beschrieben ; building event thing ; to
"""

# Verbs of motion; last column: who or what moves.
MOTION = """
    go went gone ; gehen geht ging gegangen sein ; ; person
    drive drove driven ; fahren fährt fuhr gefahren sein ; ; person
    travel ; reisen reist reiste gereist sein ; ; person
    run ran run ; laufen läuft lief gelaufen sein ; ; person animal
    come came come ; kommen kommt kam gekommen sein ; ; person
    hurry ; eilen eilt eilte geeilt sein ; ; person
    walk back ; zurück|gehen geht ging zurückgegangen sein ; ; person animal
    fly flew flown ; fliegen fliegt flog geflogen sein ; ; person
"""

# Subject: an event.
HAPPENING = """
    begin began begun ; an|fangen fängt fing angefangen ; ; event
    end ; enden ; ; event
    take place took taken ; statt|finden findet fand stattgefunden ; ; event
"""

# Verbs whose object is a clause with "that" (dass).
THAT_VERBS = """
    know knew known ; wissen weiß wusste gewusst
    believe ; glauben
    say said said ; sagen
    hope ; hoffen
    hear heard heard ; hören
    claim ; behaupten
    notice ; bemerken
    write wrote written ; schreiben schreibt schrieb geschrieben
    promise ; versprechen verspricht versprach versprochen
    think thought thought ; denken denkt dachte gedacht
"""

# Verbs whose object is an indirect question (whether, where, why, when).
ASK_VERBS = """
    ask ; fragen
    wonder ; fragen sich
    find out found found ; heraus|finden findet fand herausgefunden
    know knew known ; wissen weiß wusste gewusst
"""

# Verbs with an infinitive clause (zu).
TO_VERBS = """
    try ; versuchen
    forget forgot forgotten ; vergessen vergisst vergaß vergessen
    decide ; beschließen beschließt beschloss beschlossen
    hope ; hoffen
    promise ; versprechen verspricht versprach versprochen
    begin began begun ; an|fangen fängt fing angefangen
    refuse ; weigern sich
"""

SINGLE_VERBS = """
    be was been ; sein ist war gewesen sein
    become became become ; werden wird wurde geworden sein
    have had had ; haben hat hatte gehabt
    will will will ; werden wird wurde geworden sein
    want ; wollen will wollte gewollt
    can could can ; können kann konnte gekonnt
    must must must ; müssen muss musste gemusst
    should should should ; sollen soll sollte gesollt
    may may may ; dürfen darf durfte gedurft
    cost cost cost ; kosten
    last ; dauern
    belong to ; gehören
    exist ; geben gibt gab gegeben
    rain ; regnen
    snow ; schneien
    bear bore born ; gebären gebärt gebar geboren
"""

# ---------------------------------------------------------------------------
# Names, places, times
# ---------------------------------------------------------------------------

MALE_NAMES = ("Peter Paul Martin Daniel David Simon Robert Oliver Michael Tom Ben "
              "Leon Erik Adam Anton Karl Julian Walter").split()
FEMALE_NAMES = ("Anna Maria Laura Julia Sarah Emma Clara Eva Lena Sophie Nina Lisa "
                "Hannah Helena Paula Johanna Olivia Monika").split()
SURNAMES = ("Weber Becker Wagner Hoffmann Hartmann Lehmann Brandt Winkler Baumann "
            "Albrecht Miller Johnson Taylor Wilson Anderson Parker").split()

# Towns and countries: English, German (the same if only one is given).
TOWNS = """
    Berlin, Hamburg, Bremen, Dresden, Leipzig, Munich München, Cologne Köln,
    Vienna Wien, Zurich Zürich, Geneva Genf, London, Paris, Rome Rom,
    Prague Prag, Warsaw Warschau, Lisbon Lissabon, Brussels Brüssel,
    Moscow Moskau, Athens Athen, Venice Venedig, Germany Deutschland,
    France Frankreich, Italy Italien, Spain Spanien, Austria Österreich,
    Poland Polen, Norway Norwegen, Greece Griechenland, Canada Kanada,
    Denmark Dänemark
"""

MONTHS = """January Januar, February Februar, March März, April April, May Mai,
    June Juni, July Juli, August August, September September, October Oktober,
    November November, December Dezember"""

WEEKDAYS = """Monday Montag, Tuesday Dienstag, Wednesday Mittwoch,
    Thursday Donnerstag, Friday Freitag, Saturday Samstag, Sunday Sonntag"""

# Time expressions; "/1" ties a word to the words marked "/1" on the other side.
PAST_TIMES = [
    ("yesterday", "gestern"),
    ("last/1 week/2", "letzte/1 Woche/2"),
    ("last/1 year/2", "letztes/1 Jahr/2"),
    ("last/1 summer/2", "letzten/1 Sommer/2"),
    ("last/1 winter/2", "letzten/1 Winter/2"),
    ("this/1 morning/2", "heute/1 Morgen/2"),
    ("a/1 week/2 ago/3", "vor/3 einer/1 Woche/2"),
    ("a/1 month/2 ago/3", "vor/3 einem/1 Monat/2"),
]
PRESENT_TIMES = [
    ("today", "heute"),
    ("now", "jetzt"),
    ("every/1 day/2", "jeden/1 Tag/2"),
    ("every/1 week/2", "jede/1 Woche/2"),
    ("every/1 year/2", "jedes/1 Jahr/2"),
    ("every/1 evening/2", "jeden/1 Abend/2"),
    ("at/1 night/1", "nachts/1"),
    ("in/1 the/1 morning/2", "am/1 Morgen/2"),
    ("in/1 the/1 evening/2", "am/1 Abend/2"),
]
FUTURE_TIMES = [
    ("tomorrow", "morgen"),
    ("soon", "bald"),
    ("tonight", "heute Abend"),
    ("next/1 week/2", "nächste/1 Woche/2"),
    ("next/1 year/2", "nächstes/1 Jahr/2"),
    ("next/1 summer/2", "nächsten/1 Sommer/2"),
]
FREQUENCIES = [("often", "oft"), ("always", "immer"), ("never", "nie"),
               ("sometimes", "manchmal"), ("rarely", "selten")]
PERFECT_ADVERBS = [("already", "schon"), ("often", "oft"), ("never", "nie")]
MANNERS = [("slowly", "langsam"), ("quickly", "schnell"), ("carefully", "vorsichtig"),
           ("quietly", "leise"), ("secretly", "heimlich"), ("immediately", "sofort"),
           ("alone", "allein")]
DEGREES = [("very", "sehr"), ("too", "zu"), ("quite", "ziemlich"), ("really", "wirklich")]

# Prepositions of place with the dative that go with almost any noun.
NEIGHBOURHOOD = [("behind", "hinter"), ("next to", "neben"), ("in front of", "vor")]

# Prepositions that make a time expression of an event.
EVENT_TIMES = [("after", "nach", "dat"), ("before", "vor", "dat"),
               ("during", "während", "gen")]


# ---------------------------------------------------------------------------
# Parsing
# ---------------------------------------------------------------------------

def _rows(table: str) -> List[List[str]]:
    """Splits a table into rows of columns."""
    rows = []
    for line in table.strip().splitlines():
        if line.strip():
            rows.append([column.strip() for column in line.split(";")])
    return rows


def _noun(columns: List[str], group: str) -> Noun:
    en, de = columns[0].split(), columns[1].split()
    gender = {"der": "m", "die": "f", "das": "n"}[de[0]]
    ending = "" if gender == "f" else de[2].lstrip("-")
    plural = None if de[-1] == "-" else de[-1]
    en_plural = None
    if plural is not None:
        en_plural = en[1] if len(en) > 1 else english.add_s(en[0])
    return Noun(en[0], en_plural, gender, de[1], ending, plural, group)


def _verb(columns: List[str]) -> Verb:
    en, de = columns[0].split(), columns[1].split()
    particle = ""
    if len(en) in (2, 4):
        particle = en.pop(1)
    past, participle = en[1:] if len(en) == 3 else [english.add_ed(en[0])] * 2
    reflexive = "sich" in de
    auxiliary = "sein" if "sein" in de[1:] else "haben"
    forms = [form for form in de if form not in ("sich",)]
    if forms[-1] == "sein" and len(forms) > 1:
        forms.pop()
    prefix, _, infinitive = forms[0].rpartition("|")
    if len(forms) == 1:
        forms += german.weak_forms(prefix, infinitive)
    columns = columns + ["", ""]
    return Verb(en[0], particle, past, participle, prefix, infinitive,
                forms[1], forms[2], forms[3], auxiliary, reflexive,
                columns[2], columns[3])


def _adjective(columns: List[str]) -> Adjective:
    lemma, compared = columns[0].split()
    de = columns[1].split()
    if len(de) == 1:
        de += [german.comparative(de[0]), german.superlative(de[0])]
    return Adjective(lemma, compared, de[0], de[1], de[2], columns[2])


def pairs(table: str) -> List[List[str]]:
    """Reads "English German, English German, ..." into pairs."""
    entries = [entry.split() for entry in table.replace("\n", " ").split(",")]
    return [[entry[0], entry[-1]] for entry in entries if entry]


NOUNS: Dict[str, List[Noun]] = {}
NOUN: Dict[str, Noun] = {}
for _group, _table in NOUN_TABLES.items():
    NOUNS[_group] = [_noun(row, _group) for row in _rows(_table)]
    for _entry in NOUNS[_group]:
        assert _entry.lemma not in NOUN, "two nouns " + _entry.lemma
        assert _entry.plural != _entry.lemma, "no number on " + _entry.lemma
        NOUN[_entry.lemma] = _entry


@lru_cache(maxsize=None)
def nouns_of(groups: str) -> List[Noun]:
    """All nouns of the groups named in a string, each once, in table order."""
    found: List[Noun] = []
    for name in groups.split():
        if name.startswith("="):
            members = [NOUN[name[1:]]]
        elif name in GROUPS:
            members = nouns_of(GROUPS[name])
        else:
            members = NOUNS[name]
        found += [noun for noun in members if noun not in found]
    return found


def verbs(table: str) -> List[Verb]:
    """The verbs of one valency table."""
    return [_verb(row) for row in _rows(table)]


ADJECTIVES = [_adjective(row) for row in _rows(ADJECTIVE_TABLE)]
SINGLE = {verb.lemma: verb for verb in verbs(SINGLE_VERBS)}


@lru_cache(maxsize=None)
def adjectives_for(group: str) -> List[Adjective]:
    """The adjectives that can describe the nouns of a group."""
    return [a for a in ADJECTIVES if KIND[group] in a.kinds.split()]
